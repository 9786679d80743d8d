// What a condition of a rule is: the one place that knows the kinds of literals.  A kind says on
// which values it holds, how it reads, and how it stands in files; all else asks here.

import { cutText, quoted, shown, valueText, writtenNumber } from "./texts.js";

/** @typedef {import("./types.js").Literal} Literal */
/** @typedef {import("./types.js").Attribute} Attribute */

/**
 * @typedef {object} Kind
 * @property {"labels" | "numbers" | "any"} of attributes that have it
 * @property {(value: number, own: Literal) => boolean} holds on a value that is not missing
 * @property {boolean} [ofMissing] whether it holds on a missing value
 */

/** @type {Record<string, Kind>} */
const KINDS = {
  "=": { of: "labels", holds: (value, own) => value === own.value },
  "!=": { of: "labels", holds: (value, own) => value !== own.value },
  "<=": { of: "numbers", holds: (value, own) => value <= own.value },
  ">": { of: "numbers", holds: (value, own) => value > own.value },
  in: { of: "labels", holds: (value, own) => own.labels.includes(value) },
  "not in": { of: "labels", holds: (value, own) => !own.labels.includes(value) },
  known: { of: "any", holds: () => true },
  missing: { of: "any", holds: () => false, ofMissing: true },
};

/** @param {string} op */
const isOfSet = (op) => op === "in" || op === "not in";

/**
 * @param {number} attribute
 * @param {string} op
 * @param {number} [value] code of a label, or cut point
 * @param {number[]} [labels] codes of the labels of a set
 * @returns {Literal}
 */
export const literal = (attribute, op, value = 0, labels = []) => ({
  attribute,
  op,
  value,
  labels,
});

/**
 * A literal as a model file has it; an unknown kind is refused, never guessed.
 * @param {{attribute: string, is: string, value?: any}} entry
 * @param {Attribute[]} attributes
 * @returns {Literal}
 */
export function literalOf(entry, attributes) {
  const attribute = attributes.findIndex((a) => a.name === entry.attribute);
  const declared = attributes[attribute];
  const kind = Object.hasOwn(KINDS, entry.is) ? KINDS[entry.is] : undefined;
  const codeOf = (/** @type {any} */ label) => declared.values.indexOf(label);
  if (declared && kind) {
    const isNominal = declared.type === "nominal";
    if (kind.of === "any" && entry.value === undefined) return literal(attribute, entry.is);
    if (kind.of === "numbers" && !isNominal && typeof entry.value === "number") {
      return literal(attribute, entry.is, entry.value);
    }
    const named = kind.of === "labels" && isNominal ? [entry.value].flat().map(codeOf) : [-1];
    const isSet = Array.isArray(entry.value) && named.length > 0;
    if (isSet === isOfSet(entry.is) && named.every((code) => code >= 0)) {
      return isSet
        ? literal(
            attribute,
            entry.is,
            0,
            named.sort((a, b) => a - b),
          )
        : literal(attribute, entry.is, named[0]);
    }
  }
  const told = `${shown(String(entry.attribute))} ${String(entry.is)}`;
  throw new Error(
    `This page does not know conditions such as ${told}: its decisions would differ from the ` +
      "model's. A page of the version of widc-arff that wrote the model knows them.",
  );
}

/**
 * A literal as it stands in a model file.
 * @param {Literal} own
 * @param {Attribute[]} attributes
 * @param {(value: any) => string} written
 */
export function writtenLiteral({ attribute, op, value, labels }, attributes, written) {
  const { name, values } = attributes[attribute];
  const told = `"attribute": ${written(name)}, "is": ${written(op)}`;
  if (KINDS[op].of === "any") return `{${told}}`;
  let own = writtenNumber(value);
  if (isOfSet(op)) own = `[${labels.map((code) => written(values[code])).join(", ")}]`;
  else if (KINDS[op].of === "labels") own = written(values[value]);
  return `{${told}, "value": ${own}}`;
}

/**
 * A literal as it stands in a file of rules.
 * @param {Literal} own
 * @param {Attribute[]} attributes
 */
export function literalOfRules({ attribute, op, value, labels }, attributes) {
  const declared = attributes[attribute];
  const name = quoted(declared.name);
  if (KINDS[op].of === "any") return `${name} is ${op}`;
  const named = (/** @type {number} */ code) => quoted(declared.values[code]);
  if (isOfSet(op)) return `${name} ${op} {${labels.map(named).join(", ")}}`;
  if (KINDS[op].of === "labels") return `${name} ${op} ${named(value)}`;
  const own =
    declared.type === "date"
      ? valueText(declared, value)
      : writtenNumber(value).replace(/\.0$/, "");
  return `${name} ${op} ${quoted(own)}`;
}

/**
 * Whether a literal holds on a value; a missing one is NaN, or of labels below 0.
 * @param {Literal} own
 * @param {number} value
 * @param {boolean} isNominal
 */
export function holdsOn(own, value, isNominal) {
  const isMissing = Number.isNaN(value) || (isNominal && value < 0);
  return isMissing ? KINDS[own.op].ofMissing === true : KINDS[own.op].holds(value, own);
}

/**
 * On which of the values of a column a literal holds, one more entry for a missing value.
 * @param {Literal} own
 * @param {import("./types.js").Column} column
 */
export function truthOf(own, { values }) {
  const truth = new Uint8Array(values.length + 1);
  const { holds, ofMissing } = KINDS[own.op];
  for (let code = 0; code < values.length; code++) truth[code] = holds(values[code], own) ? 1 : 0;
  truth[values.length] = ofMissing ? 1 : 0;
  return truth;
}

/**
 * Literals by which an attribute has some labels, or has not: a set where files can hold one.
 * @param {number} attribute
 * @param {boolean} isFor
 * @param {number[]} codes
 * @param {string[]} kinds that files can hold
 */
export function literalsOfLabels(attribute, isFor, codes, kinds) {
  const set = isFor ? "in" : "not in";
  const sorted = [...codes].sort((a, b) => a - b);
  if (sorted.length > 1 && kinds.includes(set)) return [literal(attribute, set, 0, sorted)];
  return sorted.map((code) => literal(attribute, isFor ? "=" : "!=", code));
}

/**
 * Literals on whether an attribute has a value, where some rows lack it and files can hold them.
 * @param {import("./types.js").Content} content
 * @param {number} attribute
 */
export function literalsOfState({ data, test, kinds }, attribute) {
  const isLacking = [data, test].some((rows) => {
    const column = rows?.columns[attribute];
    return column?.codes.includes(column.values.length);
  });
  const states = Object.keys(KINDS).filter((op) => KINDS[op].of === "any" && kinds.includes(op));
  return isLacking ? states.map((op) => literal(attribute, op)) : [];
}

/** Whether a literal says which labels there are, not which there are not.  @param {Literal} own */
export const isForLabels = ({ op }) => op === "=" || op === "in";

/** Whether a literal says only whether there is a value.  @param {Literal} own */
export const isOfState = ({ op }) => KINDS[op].of === "any";

/** @param {Literal} own */
export const keyOf = ({ attribute, op, value, labels }) =>
  `${attribute} ${op} ${isOfSet(op) ? labels : value}`;

/**
 * What tells the same conditions in whatever order.
 * @param {Literal[]} literals
 */
export const conditionsKey = (literals) => [...new Set(literals.map(keyOf))].sort().join("\n");

/** @param {Literal} own */
export const isCut = ({ op }) => KINDS[op].of === "numbers";

/** Literals in runs of one attribute, in the order of the first of each.  @param {Literal[]} literals */
export function byAttribute(literals) {
  /** @type {Map<number, Literal[]>} */
  const groups = new Map();
  for (const own of literals) {
    groups.set(own.attribute, [...(groups.get(own.attribute) ?? []), own]);
  }
  return [...groups.values()];
}

/**
 * The conditions of a rule as people read them, one for each attribute.
 * @param {Literal[]} literals
 * @param {Attribute[]} attributes
 */
export function conditions(literals, attributes) {
  return byAttribute(literals).map((own) => condition(own, attributes[own[0].attribute]));
}

/**
 * @param {Literal[]} all of one attribute
 * @param {Attribute} attribute
 */
function condition(all, attribute) {
  const name = shown(attribute.read);
  const own = all.filter((l) => !isOfState(l));
  const states = new Set(all.filter(isOfState).map((l) => l.op));
  if (own.length) states.delete("known");
  const told = [...states].sort().map((state) => `${name} is ${state}`);
  if (own.length)
    told.unshift(isCut(own[0]) ? ofNumbers(own, attribute) : ofLabels(own, attribute));
  return told.join(" and ");
}

/** @param {Literal[]} own  @param {Attribute} attribute */
function ofLabels(own, attribute) {
  const name = shown(attribute.read);
  const equal = [...new Set(own.filter((l) => l.op === "=").map((l) => l.value))];
  if (equal.length) {
    return equal.map((code) => `${name} = ${shown(attribute.values[code])}`).join(" and ");
  }
  const isFor = own.some((l) => l.op === "in");
  const codes = [...attribute.values.keys()].filter(
    (code) => own.every((l) => KINDS[l.op].holds(code, l)) === isFor,
  );
  const values = codes.map((code) => shown(attribute.values[code]));
  if (codes.length === 1) return `${name} ${isFor ? "=" : "!="} ${values[0]}`;
  const range = rangeOf(attribute, isFor ? codes : restOf(attribute, codes));
  if (range) return range;
  const first =
    values.length <= 20 ? values : [...values.slice(0, 12), `and ${values.length - 12} more`];
  return `${name} ${isFor ? "in" : "not in"} {${first.join(", ")}}`;
}

/** @param {Attribute} attribute  @param {number[]} codes */
const restOf = ({ values }, codes) => [...values.keys()].filter((code) => !codes.includes(code));

/** Labels that stand together in an order as a range; nothing for others.  @param {Attribute} attribute  @param {number[]} held */
function rangeOf({ read, values, order }, held) {
  if (held.length < 2 || held.length >= order.length) return "";
  const first = order.findIndex((code) => held.includes(code));
  const last = first + held.length - 1;
  if (first < 0 || !held.every((code) => order.slice(first, last + 1).includes(code))) return "";
  const [name, label] = [shown(read), (/** @type {number} */ k) => shown(values[order[k]])];
  const below = first ? `${label(first - 1)} < ${name}` : name;
  return last + 1 < order.length ? `${below} <= ${label(last)}` : `${name} > ${label(first - 1)}`;
}

/** @param {Literal[]} own  @param {Attribute} attribute */
function ofNumbers(own, attribute) {
  const name = shown(attribute.read);
  const above = own.filter((l) => l.op === ">").map((l) => l.value);
  const below = own.filter((l) => l.op === "<=").map((l) => l.value);
  const [low, high] = [Math.max(...above), Math.min(...below)];
  let [lowText, highText] = [cutText(attribute, low), cutText(attribute, high)];
  if (above.length && below.length) {
    if (lowText === highText) [lowText, highText] = [writtenNumber(low), writtenNumber(high)];
    return `${lowText} < ${name} <= ${highText}`;
  }
  return above.length ? `${name} > ${lowText}` : `${name} <= ${highText}`;
}
