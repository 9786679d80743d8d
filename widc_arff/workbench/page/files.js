// What goes back to the command line: a model file as widc-arff writes it, byte by byte, and a file
// of rules.

import { distribution, tieScores } from "./decision.js";
import { pointsOf } from "./fitting.js";
import { conditions, conditionsKey, keyOf, literalOfRules, writtenLiteral } from "./literals.js";
import { counted, inQuotes, percent, quoted, shown, writtenNumber, writtenText } from "./texts.js";

/** @typedef {import("./types.js").Content} Content */
/** @typedef {import("./types.js").Committee} Committee */
/** @typedef {import("./types.js").Rule} Rule */

const VERSION = 3;

/** @param {number[]} values */
const listOf = (values) => `[${values.map(writtenNumber).join(", ")}]`;

/**
 * Whether two lists of rules are the same to whoever reads them.
 * @param {Rule[]} some
 * @param {Rule[]} others
 */
export function areSame(some, others) {
  const told = (/** @type {Rule[]} */ rules) =>
    rules.map((r) => [r.literals.map(keyOf), r.votes, r.name, r.locked]);
  return JSON.stringify(told(some)) === JSON.stringify(told(others));
}

/**
 * Whether rules decide the same, in whatever order.
 * @param {Rule[]} some
 * @param {Rule[]} others
 */
export function voteTheSame(some, others) {
  const told = (/** @type {Rule[]} */ rules) =>
    rules.map((r) => `${conditionsKey(r.literals)}\n\n${r.votes}`).sort();
  return JSON.stringify(told(some)) === JSON.stringify(told(others));
}

/**
 * The text of the model file.
 * @param {Content} content
 * @param {Committee} committee
 * @param {string[]} history
 */
export function modelText(content, committee, history) {
  const { model, verbatim, attributes, areSets } = content;
  const isChanged = history.length > (model.history ?? []).length;
  const certainty = committee.certainty;
  const parts = [
    `"format": ${writtenText(model.format)}`,
    `"version": ${isChanged ? VERSION : model.version}`,
    `"relation": ${writtenText(model.relation)}`,
    `"attributes": ${attributesText(content, committee)}`,
    `"labels": ${verbatim.labels}`,
    `"rules": ${rulesJson(committee, attributes)}`,
    `"default": ${listOf(committee.default)}`,
  ];
  if (areSets)
    parts.push(`"threshold": ${writtenNumber(/** @type {number} */ (committee.threshold))}`);
  if (committee.odds) {
    const { slopes, intercepts } = committee.odds;
    parts.push(
      `"probabilities": {"slopes": ${listOf(slopes)}, "intercepts": ${listOf(intercepts)}}`,
    );
  }
  if (certainty) {
    parts.push(
      `"probabilities": {"factor": ${writtenNumber(certainty.factor)}, "frequencies": ` +
        `${listOf(certainty.frequencies)}, "shares": ${listOf(certainty.shares)}}`,
    );
  }
  const { error, ties, weight, hamming } = committee;
  parts.push(
    `"training": {"examples": ${committee.examples}, "weights": ${listOf(committee.weights)}, ` +
      `"error": ${error === null ? "null" : writtenNumber(error)}` +
      (ties === null ? "" : `, "ties": ${writtenNumber(ties)}`) +
      (weight === null ? "" : `, "weight": ${writtenNumber(weight)}`) +
      (hamming === null ? "" : `, "hamming": ${writtenNumber(hamming)}`) +
      `, "options": ${verbatim.options}, "widc_arff": ` +
      `${committee.isNew ? verbatim.version : writtenText(model.training.widc_arff)}}`,
  );
  if (committee.seen.size) parts.push(`"seen": ${seenText(committee, attributes)}`);
  if (verbatim.names) parts.push(`"names": ${verbatim.names}`);
  if (history.length) parts.push(`"history": [${history.map(writtenText).join(", ")}]`);
  const provenance = committee.isNew ? verbatim.provenance : verbatim.provenanceAsRead;
  if (provenance) parts.push(`"provenance": ${provenance}`);
  return `{\n${parts.map((part) => ` ${part}`).join(",\n")}\n}\n`;
}

/** @param {Content} content  @param {Committee} committee */
function attributesText({ model, attributes }, committee) {
  const used = new Set(
    committee.rules.flatMap((r) => r.literals.map((l) => attributes[l.attribute].name)),
  );
  const declared = new Map(attributes.map((a) => [a.name, a]));
  /** @type {any[]} */
  const full = model.attributes.flatMap((/** @type {any} */ entry) =>
    typeof entry === "number" ? new Array(entry).fill(null) : [entry],
  );
  /** @type {(string | number)[]} */
  const entries = [];
  full.forEach((entry, i) => {
    const name = entry === null ? `x${i}` : (entry.name ?? entry);
    const isKnown = entry !== null && typeof entry === "object";
    const own = isKnown ? entry : used.has(name) ? declared.get(name)?.entry : null;
    if (own) entries.push(entryText(own));
    else if (name !== `x${i}`) entries.push(writtenText(name));
    else if (typeof entries[entries.length - 1] === "number")
      entries.push(Number(entries.pop()) + 1);
    else entries.push(1);
  });
  return linesOf(entries.map(String));
}

/** What a model file says of an attribute.  @param {Record<string, string | string[]>} entry */
function entryText(entry) {
  const told = Object.entries(entry).map(([key, value]) => {
    const own = Array.isArray(value)
      ? `[${value.map(writtenText).join(", ")}]`
      : writtenText(value);
    return `${writtenText(key)}: ${own}`;
  });
  return `{${told.join(", ")}}`;
}

/** Entries in brackets, objects in lines of their own.  @param {string[]} entries */
function linesOf(entries) {
  if (!entries.length) return "[]";
  const joined = entries.map((e, i) => (i ? (e[0] === "{" ? ",\n  " : ", ") : "") + e).join("");
  return `[\n  ${joined}]`;
}

/** @param {Committee} committee  @param {import("./types.js").Attribute[]} attributes */
function rulesJson({ rules, figures }, attributes) {
  return linesOf(
    rules.map((rule, k) => {
      const { covers, weight, decides } = figures[k];
      const tests = rule.literals.map((l) => writtenLiteral(l, attributes, writtenText));
      return (
        `{"if": [${tests.join(", ")}], "votes": [${rule.votes.join(", ")}], ` +
        `"covers": ${covers ? listOf(covers) : "null"}` +
        (weight === null ? "" : `, "weight": ${covers ? writtenNumber(weight) : "null"}`) +
        (rule.name ? `, "name": ${writtenText(rule.name)}` : "") +
        (rule.locked ? ', "locked": true' : "") +
        `${decides === null ? "" : `, "decides": ${writtenNumber(decides)}`}}`
      );
    }),
  );
}

/** @param {Committee} committee  @param {import("./types.js").Attribute[]} attributes */
function seenText({ seen }, attributes) {
  const entries = [...seen].map(([a, values]) => {
    const { name, type, values: labels } = attributes[a];
    const own = values.map((v) => (type === "nominal" ? writtenText(labels[v]) : writtenNumber(v)));
    return `${writtenText(name)}: [${own.join(", ")}]`;
  });
  return `{${entries.join(", ")}}`;
}

/**
 * A file of rules, one a line; null where a name has a line break, for which it has no place.
 * @param {Content} content
 * @param {Rule[]} rules
 */
export function rulesText({ attributes, labels }, rules) {
  const lines = rules.map((rule) => {
    const head = (rule.locked ? "locked " : "") + (rule.name ? `${inQuotes(rule.name)} ` : "");
    const tests = rule.literals.map((l) => literalOfRules(l, attributes)).join(" and ");
    const votes = rule.votes
      .map((v, j) => (v ? (v > 0 ? "" : "not ") + quoted(labels[j]) : ""))
      .filter(Boolean);
    return `${head}if ${tests} then ${votes.length ? votes.join(", ") : `[${rule.votes.join(", ")}]`}`;
  });
  // eslint-disable-next-line no-control-regex -- where Python ends lines
  if (lines.some((line) => /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/.test(line))) return null;
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * What was changed, a sentence each, as edit and diff tell it.
 * @param {Content} content
 * @param {Committee} before
 * @param {Committee} after
 */
export function changesTold(content, before, after) {
  const { attributes, labelsRead, areSets } = content;
  const votes = (/** @type {Rule} */ rule, /** @type {number[]} */ weights) => {
    const told = pointsOf(rule.votes, weights, areSets)
      .map((p, j) => ({ p, j }))
      .filter(({ p }) => p);
    return (
      told.map(({ p, j }) => `${shown(labelsRead[j])} ${p > 0 ? "+" : ""}${p}`).join(", ") ||
      "no points"
    );
  };
  const words = (/** @type {Rule} */ rule) => conditions(rule.literals, attributes).join(" and ");
  /** @type {string[]} */
  const told = [];
  const places = new Map(after.rules.map((rule, k) => [rule.id, k]));
  before.rules.forEach((old, i) => {
    const j = places.get(old.id);
    if (j === undefined) {
      told.push(`Rule ${i + 1} is gone: ${words(old)}: ${votes(old, before.weights)}.`);
      return;
    }
    const rule = after.rules[j];
    const [was, is] = [words(old), words(rule)];
    const [had, has] = [votes(old, before.weights), votes(rule, after.weights)];
    const parts = was === is ? [] : [`${was} became ${is}`];
    if (had !== has) parts.push(`${parts.length ? "" : `${is}: `}${had} became ${has}`);
    if (conditionsKey(old.literals) !== conditionsKey(rule.literals) && !parts.length) {
      parts.push(`${is}, written with more digits`);
    }
    if (parts.length)
      told.push(`Rule ${i + 1}${i === j ? "" : ` (now ${j + 1})`} changed: ${parts.join("; ")}.`);
    if (old.name !== rule.name)
      told.push(`Rule ${j + 1} is called ${rule.name ? shown(rule.name) : "nothing any more"}.`);
    if (old.locked !== rule.locked)
      told.push(`Rule ${j + 1} is ${rule.locked ? "locked" : "no longer locked"}.`);
  });
  const ids = new Set(before.rules.map((rule) => rule.id));
  after.rules.forEach((rule, j) => {
    if (!ids.has(rule.id))
      told.push(`New rule ${j + 1}: ${words(rule)}: ${votes(rule, after.weights)}.`);
  });
  const [was, is] = [before, after].map((c) => tieOrder(c).map((j) => shown(labelsRead[j])));
  if (!areSets && was.join("\n") !== is.join("\n") && was.length === is.length) {
    told.push(`Ties are won in another order: ${is.join(", ")} (before ${was.join(", ")}).`);
  }
  return told;
}

/** The classes that occur in training, in the order in which they win ties.  @param {Committee} committee */
export function tieOrder(committee) {
  const scores = tieScores(committee.default, distribution(committee.weights));
  return scores
    .map((_, j) => j)
    .filter((j) => committee.weights[j] > 0)
    .sort((a, b) => scores[b] - scores[a] || a - b);
}

/**
 * Of which rows the figures are, and the errors there after and before the changes.
 * @param {Content} content
 * @param {Committee} before fitted to the same rows
 * @param {Committee} after
 */
export function figuresTold({ files, areSets }, before, after) {
  const error = (/** @type {Committee} */ { error: e }) =>
    areSets ? /** @type {number} */ (e).toFixed(4) : percent(e);
  const name = areSets ? "training ranking loss" : "training error";
  const [was, is] = [error(before), error(after)];
  return (
    `Figures are those of ${files.data}, ${counted(after.examples, "row")}: ${name} ${is}` +
    `${was === is ? "" : ` (before the changes ${was})`}.`
  );
}
