// What a condition of a rule is: the one place that knows the kinds of literals.  A kind says on
// which values it holds, how it reads, and how it stands in files; all else asks here.

import { cutText, quoted, shown, valueText, writtenNumber } from "./texts.js";

/** @typedef {import("./types.js").Literal} Literal */
/** @typedef {import("./types.js").Attribute} Attribute */

/**
 * A kind by its sign: on which values it holds; a missing value satisfies none.
 * @type {Record<string, {nominal: boolean, holds: (value: number, own: number) => boolean}>}
 */
const KINDS = {
  "=": { nominal: true, holds: (value, own) => value === own },
  "!=": { nominal: true, holds: (value, own) => value !== own },
  "<=": { nominal: false, holds: (value, own) => value <= own },
  ">": { nominal: false, holds: (value, own) => value > own },
};

/**
 * A literal as a model file has it; an unknown kind is refused, never guessed.
 * @param {{attribute: string, is: string, value: any}} entry
 * @param {Attribute[]} attributes
 * @returns {Literal}
 */
export function literalOf(entry, attributes) {
  const attribute = attributes.findIndex((a) => a.name === entry.attribute);
  const declared = attributes[attribute];
  const kind = Object.hasOwn(KINDS, entry.is) ? KINDS[entry.is] : undefined;
  const isNominal = declared?.type === "nominal";
  const value = isNominal ? declared.values.indexOf(entry.value) : entry.value;
  const isValue = typeof value === "number" && (!isNominal || value >= 0);
  if (!declared || !kind || kind.nominal !== isNominal || !isValue) {
    const told = `${shown(String(entry.attribute))} ${shown(String(entry.is))}`;
    throw new Error(
      `This page does not know conditions such as ${told}: it would decide otherwise than the ` +
        "model does. A page of the version of widc-arff that wrote the model knows them.",
    );
  }
  return { attribute, op: entry.is, value };
}

/**
 * A literal as it stands in a model file.
 * @param {Literal} literal
 * @param {Attribute[]} attributes
 * @param {(value: any) => string} written
 */
export function writtenLiteral({ attribute, op, value }, attributes, written) {
  const { name, type, values } = attributes[attribute];
  const own = type === "nominal" ? written(values[value]) : writtenNumber(value);
  return `{"attribute": ${written(name)}, "is": ${written(op)}, "value": ${own}}`;
}

/**
 * A literal as it stands in a file of rules.
 * @param {Literal} literal
 * @param {Attribute[]} attributes
 */
export function literalOfRules({ attribute, op, value }, attributes) {
  const declared = attributes[attribute];
  let own = writtenNumber(value).replace(/\.0$/, "");
  if (declared.type === "nominal") own = declared.values[value];
  if (declared.type === "date") own = valueText(declared, value);
  return `${quoted(declared.name)} ${op} ${quoted(own)}`;
}

/**
 * Whether a literal holds on a value; a missing one is NaN, or of labels below 0.
 * @param {Literal} literal
 * @param {number} value
 * @param {boolean} isNominal
 */
export function holdsOn({ op, value: own }, value, isNominal) {
  if (Number.isNaN(value) || (isNominal && value < 0)) return false;
  return KINDS[op].holds(value, own);
}

/**
 * On which of the values of a column a literal holds, one more entry for a missing value.
 * @param {Literal} literal
 * @param {import("./types.js").Column} column
 */
export function truthOf({ op, value: own }, { values }) {
  const truth = new Uint8Array(values.length + 1);
  const { holds } = KINDS[op];
  for (let code = 0; code < values.length; code++) truth[code] = holds(values[code], own) ? 1 : 0;
  return truth;
}

/** @param {Literal} literal */
export const keyOf = ({ attribute, op, value }) => `${attribute} ${op} ${value}`;

/**
 * What tells the same conditions in whatever order.
 * @param {Literal[]} literals
 */
export const conditionsKey = (literals) => [...new Set(literals.map(keyOf))].sort().join("\n");

/** @param {Literal} literal */
export const isCut = (literal) => !KINDS[literal.op].nominal;

/** The kinds that an attribute can have.  @param {Attribute} attribute */
export const kindsOf = (attribute) =>
  Object.keys(KINDS).filter((op) => KINDS[op].nominal === (attribute.type === "nominal"));

/** Literals in runs of one attribute, in the order of the first of each.  @param {Literal[]} literals */
export function byAttribute(literals) {
  /** @type {Map<number, Literal[]>} */
  const groups = new Map();
  for (const literal of literals) {
    groups.set(literal.attribute, [...(groups.get(literal.attribute) ?? []), literal]);
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
 * @param {Literal[]} own of one attribute
 * @param {Attribute} attribute
 */
function condition(own, attribute) {
  const name = shown(attribute.read);
  if (attribute.type === "nominal") {
    const equal = own.filter((l) => l.op === "=");
    const named = (/** @type {number} */ code) => shown(attribute.values[code]);
    if (equal.length) {
      const values = [...new Set(equal.map((l) => named(l.value)))];
      return values.map((value) => `${name} = ${value}`).join(" and ");
    }
    const codes = [...new Set(own.map((l) => l.value))].sort((a, b) => a - b).map(named);
    return codes.length === 1 ? `${name} != ${codes[0]}` : `${name} not in {${codes.join(", ")}}`;
  }
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
