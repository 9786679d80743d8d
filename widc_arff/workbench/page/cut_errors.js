// How many rows would be decided wrongly with a cut point elsewhere, all else as it is, the order
// of ties too.

import { conditionsKey } from "./literals.js";
import { without } from "./patterns.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Rule} Rule */

/**
 * The weight of wrong rows with a cut behind each value of an attribute.
 * @param {Store} store
 * @param {Rule} rule one that votes
 * @param {number} attribute
 * @param {string} op
 * @returns {Float64Array | null} nothing for label sets
 */
export function errorsByCut(store, rule, attribute, op) {
  const { content, now } = store;
  const k = store.votingPlace(rule.id);
  if (content.areSets || k < 0) return null;
  const { rows, outcome, covers } = store.shownRows;
  const { codes, values } = rows.columns[attribute];
  const { patterns } = outcome;
  const c = content.labels.length;
  const rest = rule.literals.filter((l) => l.attribute !== attribute || l.op !== op);
  const isOpen = conditionsKey(rest) ? covers.of(rest) : null;
  const { decision } = store.deciding;
  const decided = Array.from({ length: patterns.n }, (_, p) => {
    const votes = patterns.votes.subarray(p * c, p * c + c);
    const off = patterns.holds[k][p] ? without(votes, now.rules[k].votes) : Array.from(votes);
    return [decision(off), decision(off.map((v, j) => v + now.rules[k].votes[j]))];
  });
  // wrong weight where the rule does not hold, and what more there is where it does
  let errors = 0;
  const more = new Float64Array(values.length);
  for (let i = 0; i < rows.n; i++) {
    const own = rows.classes[i];
    if (own < 0) continue;
    const [off, on] = decided[patterns.of[i]];
    if (off !== own) errors += rows.weights[i];
    const isFree = codes[i] < values.length && (!isOpen || isOpen[i]);
    if (isFree) more[codes[i]] += rows.weights[i] * (Number(on !== own) - Number(off !== own));
  }
  const found = new Float64Array(values.length);
  let sum = op === ">" ? more.reduce((a, b) => a + b, 0) : 0;
  for (let code = 0; code < values.length; code++) {
    sum += op === ">" ? -more[code] : more[code];
    found[code] = errors + sum;
  }
  return found;
}
