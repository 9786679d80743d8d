// A committee of given rules, with figures of the rows of the page: the twin of
// widc_arff/induction/committees.py.

import { fittedCertainty } from "./calibrating.js";
import {
  INVERSE_E,
  baseOf,
  decide,
  defaultVector,
  distribution,
  nTied,
  tieScores,
} from "./decision.js";
import { fittedToSets } from "./label_sets.js";
import { isCut } from "./literals.js";
import { classWeights, forEachPattern, without } from "./patterns.js";
import { countOf, sum, sumsOf } from "./sums.js";

/** @typedef {import("./types.js").Committee} Committee */
/** @typedef {import("./types.js").Rule} Rule */
/** @typedef {import("./types.js").Content} Content */
/** @typedef {import("./patterns.js").Patterns} Patterns */

/** What decides ties in a committee.  @param {Committee} committee */
export const scoresOf = (committee) =>
  tieScores(committee.default, distribution(committee.weights));

/** What makes probabilities of votes, also where it was not fitted.  @param {Committee} committee */
export function certaintyOf(committee) {
  const shares = scoresOf(committee);
  return committee.certainty ?? { factor: INVERSE_E, frequencies: shares.map(() => 1), shares };
}

/**
 * Votes of a rule as people read them: less the most frequent one, of two classes the lower one.
 * @param {number[]} votes
 * @param {number[]} weights of the classes in training
 * @param {boolean} areSets
 */
export function pointsOf(votes, weights, areSets) {
  if (areSets) return votes;
  const own = votes.filter((_, j) => weights[j] > 0);
  const base = own.length <= 2 ? Math.min(...own) : baseOf(own);
  return votes.map((vote) => vote - base);
}

/**
 * Points other than 0 of classes that occur in training.
 * @param {Rule[]} rules
 * @param {number[]} weights
 * @param {boolean} areSets
 */
export function nVotes(rules, weights, areSets) {
  const told = rules.map((rule) => pointsOf(rule.votes, weights, areSets));
  return told.flatMap((points) => points.filter((p, j) => p !== 0 && weights[j] > 0)).length;
}

/** @param {Rule[]} rules */
export const nLiterals = (rules) => rules.reduce((n, rule) => n + rule.literals.length, 0);

/**
 * The committee of some rules, all its figures those of the rows that are learned from.
 * @param {Content} content
 * @param {Rule[]} rules
 * @param {Patterns} patterns of the data
 * @returns {Committee}
 */
export function fitted(content, rules, patterns) {
  const found = content.areSets
    ? fittedToSets(content, rules, patterns)
    : fittedToClasses(content, rules, patterns);
  if (content.fit.hasSeen) found.seen = seenBy(content, rules);
  return found;
}

/** @param {Content} content  @param {Rule[]} rules  @param {Patterns} patterns  @returns {Committee} */
function fittedToClasses(content, rules, patterns) {
  const { data, fit, labels } = content;
  const c = labels.length;
  const told = classWeights(patterns, data, fit.told, c);
  const sample = fit.sample === fit.told ? told : classWeights(patterns, data, fit.sample, c);
  const ambiguous = new Array(c).fill(0);
  const inTies = new Array(c).fill(0);
  forEachPattern(patterns, c, (votes, at) => {
    if (nTied(votes) < 2) return;
    for (let j = 0; j < c; j++) {
      ambiguous[j] += sample[at + j];
      inTies[j] += told[at + j];
    }
  });
  const vector = defaultVector(ambiguous, distribution(sumsOf(sample, c)));
  const ofClasses = sumsOf(told, c);
  const scores = tieScores(vector, distribution(ofClasses));
  const decided = new Int32Array(patterns.n);
  let [wrong, total] = [0, 0];
  forEachPattern(patterns, c, (votes, at, p) => {
    decided[p] = decide(votes, scores);
    for (let j = 0; j < c; j++) {
      total += told[at + j];
      if (j !== decided[p]) wrong += told[at + j];
    }
  });
  const weights = ofClasses.map((w) => w * fit.quantum);
  const figures = rules.map((rule, k) => {
    const covers = new Array(c).fill(0);
    let decides = 0;
    forEachPattern(patterns, c, (votes, at, p) => {
      if (!patterns.holds[k][p]) return;
      const changes = decide(without(votes, rule.votes), scores) !== decided[p];
      for (let j = 0; j < c; j++) {
        covers[j] += told[at + j];
        if (changes) decides += told[at + j] * fit.quantum;
      }
    });
    return { covers: covers.map((w) => w * fit.quantum), weight: null, decides };
  });
  const learned = rules.filter((rule) => !rule.locked);
  const ofVote = Math.log2(Math.max(weights.filter((w) => w > 0).length - 1, 1));
  const price = nLiterals(learned) * fit.penalty + nVotes(learned, weights, false) * ofVote;
  return {
    rules,
    default: vector,
    certainty: fittedCertainty(patterns, told, fit.exampleWeight, scores, decided, price),
    threshold: null,
    odds: null,
    weights,
    figures,
    examples: countOf(fit.told),
    error: wrong / total,
    ties: sum(inTies) / total,
    weight: null,
    hamming: null,
    seen: new Map(),
    isNew: true,
  };
}

/**
 * Which values occurred: of numbers the ends between cut points, of labels those, if not all.
 * @param {Content} content
 * @param {Rule[]} rules
 */
function seenBy({ data, fit, attributes }, rules) {
  /** @type {Map<number, number[]>} */
  const seen = new Map();
  const literals = rules.flatMap((rule) => rule.literals);
  for (const a of [...new Set(literals.map((l) => l.attribute))].sort((x, y) => x - y)) {
    const { codes, values } = data.columns[a];
    const occurs = new Uint8Array(values.length + 1);
    for (let i = 0; i < data.n; i++) if (fit.told[i] > 0) occurs[codes[i]] = 1;
    let known = Array.from(values).filter((value, code) => occurs[code] && Number.isFinite(value));
    if (attributes[a].type === "nominal") {
      if (known.length === attributes[a].values.length) known = [];
    } else {
      const own = literals.filter((l) => l.attribute === a && isCut(l));
      known = endsBetween(
        own.map((l) => l.value).sort((x, y) => x - y),
        known,
      );
    }
    if (known.length) seen.set(a, known);
  }
  return seen;
}

/**
 * The lowest and the highest of some rising values between each two rising cuts.
 * @param {number[]} cuts
 * @param {number[]} values
 */
function endsBetween(cuts, values) {
  let k = 0;
  const regions = values.map((value) => {
    while (k < cuts.length && cuts[k] < value) k++;
    return k;
  });
  return values.filter((_, i) => regions[i - 1] !== regions[i] || regions[i + 1] !== regions[i]);
}
