// The rows of a file by which rules hold on them: rows on which the same rules hold get the same
// votes, so that all that is decided is decided once for each pattern.

import { keyOf, truthOf } from "./literals.js";

/** @typedef {import("./types.js").Rows} Rows */
/** @typedef {import("./types.js").Rule} Rule */

/**
 * @typedef {object} Patterns
 * @property {number} n number of patterns
 * @property {Int32Array} of pattern of each row
 * @property {Uint8Array[]} holds for each rule, on which patterns it holds
 * @property {Int32Array} votes summed, pattern by pattern
 */

const MOST_KEPT = 400;

/** Rows on which literals hold; those asked for last are kept. */
export class Covers {
  /** @param {Rows} rows */
  constructor(rows) {
    this.rows = rows;
    /** @type {Map<string, Uint8Array>} */
    this.kept = new Map();
  }

  /**
   * On which rows all of some literals hold.
   * @param {import("./types.js").Literal[]} literals
   */
  of(literals) {
    const masks = literals.map((literal) => this.#ofLiteral(literal));
    if (masks.length === 1) return masks[0];
    const all = Uint8Array.from(masks[0]);
    for (const mask of masks.slice(1)) for (let i = 0; i < all.length; i++) all[i] &= mask[i];
    return all;
  }

  /** @param {import("./types.js").Literal} literal */
  #ofLiteral(literal) {
    const key = keyOf(literal);
    let mask = this.kept.get(key);
    if (!mask) {
      const column = this.rows.columns[literal.attribute];
      const truth = truthOf(literal, column);
      mask = new Uint8Array(this.rows.n);
      for (let i = 0; i < mask.length; i++) mask[i] = truth[column.codes[i]];
      if (this.kept.size >= MOST_KEPT)
        this.kept.delete(/** @type {string} */ (this.kept.keys().next().value));
    }
    this.kept.delete(key);
    this.kept.set(key, mask);
    return mask;
  }
}

/**
 * @param {Covers} covers
 * @param {Rule[]} rules
 * @param {number} nClasses
 * @returns {Patterns}
 */
export function patternsOf(covers, rules, nClasses) {
  const { n: nRows } = covers.rows;
  const of = new Int32Array(nRows);
  let n = Math.min(nRows, 1);
  /** @type {number[][]} */
  let held = n ? [[]] : [];
  for (const { literals } of rules) {
    const mask = covers.of(literals);
    const numbers = new Int32Array(2 * n).fill(-1);
    /** @type {number[][]} */
    const refined = [];
    for (let i = 0; i < nRows; i++) {
      const key = 2 * of[i] + mask[i];
      if (numbers[key] < 0) {
        numbers[key] = refined.length;
        refined.push([...held[of[i]], mask[i]]);
      }
      of[i] = numbers[key];
    }
    [held, n] = [refined, refined.length];
  }
  const holds = rules.map((_, k) => Uint8Array.from(held, (row) => row[k]));
  const votes = new Int32Array(n * nClasses);
  rules.forEach((rule, k) => addVotes(votes, holds[k], rule.votes));
  return { n, of, holds, votes };
}

/** @param {Int32Array} votes  @param {Uint8Array} holds  @param {number[]} own */
function addVotes(votes, holds, own) {
  for (let p = 0; p < holds.length; p++) {
    if (holds[p]) for (let j = 0; j < own.length; j++) votes[p * own.length + j] += own[j];
  }
}

/**
 * Weights of the rows of each class, pattern by pattern; rows without a class count nowhere.
 * @param {Patterns} patterns
 * @param {Rows} rows
 * @param {Float64Array} weights
 * @param {number} nClasses
 */
export function classWeights(patterns, rows, weights, nClasses) {
  const sums = new Float64Array(patterns.n * nClasses);
  for (let i = 0; i < rows.n; i++) {
    if (rows.classes[i] >= 0) sums[patterns.of[i] * nClasses + rows.classes[i]] += weights[i];
  }
  return sums;
}

/**
 * Call with the votes of each pattern, where they begin, and its number.
 * @param {Patterns} patterns
 * @param {number} c
 * @param {(votes: Int32Array, at: number, p: number) => void} call
 */
export function forEachPattern(patterns, c, call) {
  for (let p = 0; p < patterns.n; p++) call(patterns.votes.subarray(p * c, p * c + c), p * c, p);
}

/** @param {ArrayLike<number>} votes  @param {number[]} own */
export const without = (votes, own) => own.map((vote, j) => votes[j] - vote);
