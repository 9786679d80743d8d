// What the modules of the page pass to one another; nothing of it runs.

/**
 * An attribute that rules can test, or may be made to.
 * @typedef {object} Attribute
 * @property {string} name as data have it
 * @property {string} read as people read it
 * @property {"nominal" | "numeric" | "date"} type
 * @property {string[]} values labels of a nominal attribute
 * @property {string | null} format of dates
 * @property {number[]} order codes of labels that have an order, in it
 * @property {Record<string, string | string[]>} entry what a model file says of it
 */

/**
 * One test of one attribute.
 * @typedef {object} Literal
 * @property {number} attribute its place among the attributes
 * @property {string} op a kind that literals.js knows
 * @property {number} value code of a label, or cut point; 0 of kinds that have none
 * @property {number[]} labels codes of the labels of a set
 */

/**
 * @typedef {object} Rule
 * @property {number} id stays while the rule is changed
 * @property {Literal[]} literals
 * @property {number[]} votes one of -1, 0, 1 for each class
 * @property {string} name
 * @property {boolean} locked
 * @property {boolean} on whether it votes
 */

/**
 * @typedef {object} Certainty
 * @property {number} factor
 * @property {number[]} frequencies
 * @property {number[]} shares
 */

/**
 * What makes probabilities of votes for labels.
 * @typedef {object} LabelOdds
 * @property {number[]} slopes
 * @property {number[]} intercepts
 */

/**
 * What training, or fitting anew, found out of a rule.
 * @typedef {object} RuleFigures
 * @property {number[] | null} covers weight of the rows of each class; null where it is not known
 * @property {number | null} weight of label sets: of all rows that it covers
 * @property {number | null} decides
 */

/**
 * Rules that vote, and how their votes decide.
 * @typedef {object} Committee
 * @property {Rule[]} rules those that are on
 * @property {number[]} default
 * @property {Certainty | null} certainty
 * @property {number | null} threshold of label sets
 * @property {LabelOdds | null} odds of label sets
 * @property {number[]} weights of the classes in training
 * @property {RuleFigures[]} figures
 * @property {number} examples
 * @property {number | null} error in training; null where it is not known
 * @property {number | null} ties
 * @property {number | null} weight of label sets: of all examples, where not their number
 * @property {number | null} hamming of label sets: the share of wrong labels in training
 * @property {Map<number, number[]>} seen by attribute
 * @property {boolean} isNew whether its figures are those of the rows of the page
 */

/**
 * A column in codes: a row's value is values[codes[row]] or, of a nominal one, the code itself.
 * @typedef {object} Column
 * @property {Uint8Array | Uint16Array | Uint32Array} codes the code behind the last is missing
 * @property {Float64Array} values the distinct numbers in rising order; of labels their codes
 */

/**
 * @typedef {object} Rows
 * @property {string} name of the file
 * @property {number} n
 * @property {Uint32Array} numbers of the rows in the file, counted from 1
 * @property {Column[]} columns one for each attribute
 * @property {Int32Array} classes -1 where there is none; of label sets empty
 * @property {Uint8Array} Y label matrix of label sets, row by row; else empty
 * @property {Uint8Array} known rows that have a class, or tell all of their labels
 * @property {Float64Array} weights
 */

/**
 * How the rows of the data count in a fit.
 * @typedef {object} Fit
 * @property {Float64Array} told weights in quanta, 0 where a row is not learned from
 * @property {Float64Array} sample the same as classes and costs weigh them
 * @property {number} quantum
 * @property {number} exampleWeight
 * @property {number} penalty
 * @property {boolean} hasSeen whether a model says which values occurred
 */

/**
 * @typedef {object} Content
 * @property {any} model what stands in the model file
 * @property {Record<string, string>} verbatim parts of the file as they are written again
 * @property {Attribute[]} attributes
 * @property {string[]} kinds of conditions that files can hold
 * @property {string[]} labels as data have them
 * @property {string[]} labelsRead as people read them
 * @property {(number | null)[]} colours of the labels, for most of many none
 * @property {string} target the class, as people read it
 * @property {boolean} areSets
 * @property {Rows} data
 * @property {Rows | null} test
 * @property {Fit} fit
 * @property {number[][] | null} costs by which the page decides
 * @property {{model: string, data: string, rowsInFile: number, evaluate: string, edit: string,
 *   learn: string}} files names, and commands that go on
 */

/** @typedef {Literal[]} Monomial */

export {};
