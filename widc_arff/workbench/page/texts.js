// Numbers, names and dates as texts: as widc_arff/reports/formatting.py has them for readers, and as
// Python writes them in files.

/** @typedef {import("./types.js").Attribute} Attribute */

/**
 * A number as Python's json and repr write it.
 * @param {number} value
 */
export function writtenNumber(value) {
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e16) return `${value}.0`;
  if (size >= 1e16 || (size < 1e-4 && size > 0)) {
    const [digits, exponent] = value.toExponential().split("e");
    const power = Number(exponent);
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  return String(value);
}

/**
 * A text as Python's json writes it, letters beyond ASCII as they are.
 * @param {any} value
 */
export const writtenText = (value) => JSON.stringify(value);

/**
 * A name or label as it reads in a rule: quoted where it would be unclear.
 * @param {string} text
 */
export function shown(text) {
  const isClear =
    text &&
    text === text.trim() &&
    !/[{},'"\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}|(?:^| )(?:and|[<>]=?|!?=)(?: |$)/u.test(text);
  if (isClear) return text;
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(/[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped);
  return mark + (mark === "'" ? inside.replaceAll("'", "\\'") : inside) + mark;
}

/** @param {string} letter */
function escaped(letter) {
  /** @type {Record<string, string>} */
  const known = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  if (letter in known) return known[letter];
  const code = /** @type {number} */ (letter.codePointAt(0));
  const hex = (/** @type {number} */ n) => code.toString(16).padStart(n, "0");
  if (code < 0x100) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/**
 * A label as it reads in a sentence: class 2 where it has no letter.
 * @param {string} label
 */
export const className = (label) => (/\p{L}/u.test(label) ? shown(label) : `class ${shown(label)}`);

/**
 * A text as it stands in a file of rules.
 * @param {string} text
 */
export function quoted(text) {
  const isPlain = /^[\p{L}\p{N}_.\-+:/]+(?: [\p{L}\p{N}_.\-+:/]+)*$/u.test(text);
  const words = text.toLowerCase().split(" ");
  const isWord = ["and", "then", "not", "if"].some((word) => words.includes(word));
  return isPlain && !isWord ? text : inQuotes(text);
}

/** @param {string} text */
export const inQuotes = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/**
 * A number with six significant digits, or all before the point and one behind it.
 * @param {number} value
 */
export function number(value) {
  if (Number.isNaN(value)) return "?";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return String(value);
  if (size >= 1e5 && size < 1e15) return value.toFixed(1);
  return String(Number(value.toPrecision(6)));
}

/**
 * A fraction in percent with one decimal.
 * @param {number | null} fraction
 */
export const percent = (fraction) =>
  fraction === null || Number.isNaN(fraction) ? "?" : `${(100 * fraction).toFixed(1)} %`;

/**
 * A fraction in whole percent.
 * @param {number} fraction
 */
export const wholePercent = (fraction) => `${Math.round(100 * fraction)} %`;

/**
 * A cut point, or a value beside one, with the digits that part it from others.
 * @param {Attribute} attribute
 * @param {number} value
 */
export function cutText(attribute, value) {
  if (attribute.type === "date") return dateText(value, attribute.format);
  if (Number.isFinite(value) && !Number.isInteger(value)) {
    const short = Number(value.toPrecision(15));
    const step = Math.abs(value) * 2.220446049250313e-16;
    if (Math.abs(short - value) <= step) return pointText(short);
  }
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return String(value);
  return writtenNumber(value);
}

/** @param {number} value */
const pointText = (value) => writtenNumber(value).replace(/\.0$/, "");

/**
 * A value of a column as it reads in a rule, or ? where it is missing.
 * @param {Attribute} attribute
 * @param {number} value
 */
export function valueText(attribute, value) {
  if (Number.isNaN(value)) return "?";
  if (attribute.type !== "nominal") return cutText(attribute, value);
  return value < 0 ? "?" : shown(attribute.values[value]);
}

const ARFF_FORMAT = "yyyy-MM-dd'T'HH:mm:ss";
const PARTS = /'((?:[^']|'')*)'|yyyy|y+|M{1,2}(?!M)|d{1,2}|H{1,2}|m{1,2}|s{1,2}|S{1,3}|[^A-Za-z']/g;

/**
 * A moment in the format of its attribute where this page knows all of its letters and the format
 * tells the moment, else in that of ARFF files.
 * @param {number} moment milliseconds since 1970, UTC
 * @param {string | null} format
 */
export function dateText(moment, format) {
  const whole = Math.floor(moment);
  for (const pattern of [format ?? ARFF_FORMAT, ARFF_FORMAT, `${ARFF_FORMAT}.SSS`]) {
    const text = dateIn(whole, pattern);
    if (text !== null && dateOf(text, pattern) === whole) return text;
  }
  return pointText(moment);
}

/** @param {string} pattern */
function partsOf(pattern) {
  const parts = [...pattern.matchAll(PARTS)];
  const length = parts.reduce((sum, part) => sum + part[0].length, 0);
  return length === pattern.length ? parts : null;
}

/** @param {Date} date  @param {string} letter */
function fieldOf(date, letter) {
  /** @type {Record<string, () => number>} */
  const fields = {
    y: () => date.getUTCFullYear(),
    M: () => date.getUTCMonth() + 1,
    d: () => date.getUTCDate(),
    H: () => date.getUTCHours(),
    m: () => date.getUTCMinutes(),
    s: () => date.getUTCSeconds(),
    S: () => date.getUTCMilliseconds(),
  };
  return fields[letter]?.();
}

/** @param {number} moment  @param {string} pattern */
function dateIn(moment, pattern) {
  const date = new Date(moment);
  const parts = partsOf(pattern);
  if (!parts || Number.isNaN(date.getTime())) return null;
  return parts
    .map(([text, literal]) => {
      if (literal !== undefined) return literal.replaceAll("''", "'") || "'";
      const field = fieldOf(date, text[0]);
      if (field === undefined) return text;
      const value = text[0] === "y" && text.length === 2 ? field % 100 : field;
      return String(value).padStart(text.length, "0");
    })
    .join("");
}

/**
 * The moment of a text in a format; NaN if it is none.
 * @param {string} text
 * @param {string} pattern
 */
function dateOf(text, pattern) {
  const parts = partsOf(pattern);
  if (!parts) return NaN;
  /** @type {Record<string, number>} */
  const found = { y: 1970, M: 1, d: 1, H: 0, m: 0, s: 0, S: 0 };
  let rest = text;
  for (const [own, literal] of parts) {
    const isField = literal === undefined && /[yMdHmsS]/.test(own[0]);
    const fixed = literal === undefined ? own : literal.replaceAll("''", "'") || "'";
    const match = isField
      ? /^\d+/.exec(rest.slice(0, own[0] === "y" ? 4 : Math.max(own.length, 2)))
      : null;
    if (isField ? !match : !rest.startsWith(fixed)) return NaN;
    const taken = match ? match[0] : fixed;
    if (match) found[own[0]] = Number(match[0]);
    rest = rest.slice(taken.length);
  }
  const { y, M, d, H, m, s, S } = found;
  if (rest || M < 1 || M > 12 || d < 1 || d > 31 || H > 23 || m > 59 || s > 59) return NaN;
  const date = new Date(0);
  date.setUTCFullYear(y, M - 1, d);
  return date.getUTCDate() === d ? date.setUTCHours(H, m, s, S) : NaN;
}

/**
 * What somebody typed as a value of an attribute of numbers or dates; NaN if it is none.
 * @param {Attribute} attribute
 * @param {string} text
 */
export function typedValue(attribute, text) {
  const plain = text.trim();
  if (attribute.type === "date") {
    for (const pattern of [attribute.format ?? ARFF_FORMAT, ARFF_FORMAT, "yyyy-MM-dd"]) {
      const moment = dateOf(plain, pattern);
      if (!Number.isNaN(moment)) return moment;
    }
    return NaN;
  }
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/**
 * The shortest number from one value up to below the next: it parts the same rows as any other.
 * @param {number} low
 * @param {number} high
 * @param {number} near of equally short ones the nearest to this
 */
export function shortestBetween(low, high, near) {
  if (!(low < high)) return low;
  for (let digits = 1; digits <= 17; digits++) {
    const exponent = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1e-300)));
    const power = digits - 1 - exponent;
    const at = (/** @type {number} */ n) => Number(`${n}e${-power}`);
    const middle = Math.round(near * 10 ** power);
    const found = [middle - 1, middle, middle + 1].map(at).filter((x) => x >= low && x < high);
    if (found.length) {
      return found.reduce((a, b) => (Math.abs(b - near) < Math.abs(a - near) ? b : a));
    }
  }
  return low;
}

/** @param {number} n  @param {string} noun */
export const counted = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;

/** @param {string[]} words  @param {string} glue */
export const listed = (words, glue = "and") =>
  words.length > 1
    ? `${words.slice(0, -1).join(", ")} ${glue} ${words[words.length - 1]}`
    : (words[0] ?? "");
