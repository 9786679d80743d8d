// How certain votes are: the twin of widc_arff/induction/calibrating.py.

import { TOLERANCE, nTied } from "./decision.js";
import { forEachPattern } from "./patterns.js";
import { pairwiseSum, sum, sumsOf } from "./sums.js";

/** @typedef {import("./patterns.js").Patterns} Patterns */

const GRID = 200;
const PART_HIDDEN = 0.6;
const PRIOR_EXAMPLES = 10;
const LEAST_CHANCE = 1e-300;
const LEAST_BITS = 0.2;

/**
 * @param {Patterns} patterns
 * @param {Float64Array} ofClasses class weights in quanta, pattern by pattern
 * @param {number} exampleWeight
 * @param {number[]} scores
 * @param {Int32Array} decided
 * @param {number} price
 */
export function fittedCertainty(patterns, ofClasses, exampleWeight, scores, decided, price) {
  const c = scores.length;
  const weights = sumsOf(ofClasses, c).map((w) => w * exampleWeight + 1);
  const frequencies = weights.map((w) => w / Math.max(...weights));
  const shares = tieShares(patterns, ofClasses, exampleWeight, scores, weights);
  const hidden = shareHidden(ofClasses, exampleWeight, decided, price, c);
  const losses = new Float64Array(GRID - 1);
  forEachPattern(patterns, c, (votes, at, p) => {
    const own = Array.from(ofClasses.subarray(at, at + c), (w) => w * exampleWeight);
    if (own.some((w) => w > 0))
      addLosses(losses, votes, own, decided[p], frequencies, shares, hidden);
  });
  const least = Math.min(...losses);
  const step = losses.findIndex((loss) => loss <= least + TOLERANCE * (1 + least));
  return { factor: (1 + step) / GRID, frequencies, shares };
}

/**
 * Add the log loss of the rows of a pattern for each factor.
 * @param {Float64Array} losses
 * @param {ArrayLike<number>} votes
 * @param {number[]} weights of its rows of each class, in examples
 * @param {number} decided
 * @param {number[]} frequencies
 * @param {number[]} shares
 * @param {number} hidden
 */
function addLosses(losses, votes, weights, decided, frequencies, shares, hidden) {
  const c = votes.length;
  let most = votes[0];
  for (let j = 1; j < c; j++) most = Math.max(most, votes[j]);
  const gaps = Array.from(votes, (v) => most - v);
  const tied = nTied(votes);
  const sumOfShares = gaps.reduce((s, gap, j) => s + (gap ? 0 : shares[j]), 0);
  const ofTied = gaps.map((gap, j) => (gap ? 0 : tied > 1 ? (shares[j] / sumOfShares) * tied : 1));
  /** @type {number[]} */
  const ofGap = [];
  gaps.forEach((gap, j) => (ofGap[gap] = (ofGap[gap] ?? 0) + frequencies[j]));
  const moved = hidden * weights[decided];
  const all = sum(weights);
  let constant = -moved * Math.log(ofTied[decided]);
  let fewer = 0;
  let others = 0;
  for (let j = 0; j < c; j++) {
    if (weights[j]) constant += weights[j] * Math.log(gaps[j] ? frequencies[j] : ofTied[j]);
    fewer += weights[j] * gaps[j];
    if (j !== decided) others += ofTied[j];
  }
  for (let step = 0; step < losses.length; step++) {
    const factor = (step + 1) / GRID;
    let below = 0;
    for (let gap = ofGap.length - 1; gap > 0; gap--) below = (below + (ofGap[gap] ?? 0)) * factor;
    losses[step] +=
      all * Math.log(tied + below) -
      moved * Math.log(Math.max(others + below, LEAST_CHANCE)) -
      fewer * Math.log(factor) -
      constant;
  }
}

/**
 * What tied classes share by, in the order in which ties are won.
 * @param {Patterns} patterns
 * @param {Float64Array} ofClasses
 * @param {number} exampleWeight
 * @param {number[]} scores
 * @param {number[]} weights of the classes in examples, each with one more
 */
function tieShares(patterns, ofClasses, exampleWeight, scores, weights) {
  const c = scores.length;
  const inTies = new Array(c).fill(0);
  forEachPattern(patterns, c, (votes, at) => {
    if (nTied(votes) > 1) for (let j = 0; j < c; j++) inTies[j] += ofClasses[at + j];
  });
  const total = pairwiseSum(weights);
  const shares = inTies.map((w, j) => w * exampleWeight + PRIOR_EXAMPLES * (weights[j] / total));
  const ofAll = pairwiseSum(shares);
  const inOrder = shares.map((s) => s / ofAll).sort((a, b) => b - a);
  const order = scores.map((_, j) => j).sort((a, b) => scores[b] - scores[a] || a - b);
  const found = new Array(c);
  order.forEach((j, k) => {
    if (k) {
      const differ = scores[j] < scores[order[k - 1]];
      inOrder[k] = Math.min(inOrder[k], differ ? inOrder[k - 1] * (1 - 2 ** -20) : inOrder[k - 1]);
    }
    found[j] = inOrder[k];
  });
  return found;
}

/**
 * The share of the right examples taken to be hidden errors.
 * @param {Float64Array} ofClasses
 * @param {number} exampleWeight
 * @param {Int32Array} decided
 * @param {number} price
 * @param {number} c
 */
function shareHidden(ofClasses, exampleWeight, decided, price, c) {
  const total = sum(ofClasses) * exampleWeight;
  let inQuanta = 0;
  decided.forEach((j, p) => (inQuanta += ofClasses[p * c + j]));
  const right = inQuanta * exampleWeight;
  const nClasses = sumsOf(ofClasses, c).filter((w) => w !== 0).length;
  const ofClass = Math.log2(Math.max(nClasses - 1, 1));
  let hidden = 0;
  for (let round = 0; round < 20; round++) {
    const share = Math.min((total - right + 1 + hidden) / total, 0.5);
    hidden = price / (Math.max(Math.log2((1 - share) / share), LEAST_BITS) + ofClass);
  }
  return right > 0 ? Math.min((PART_HIDDEN * hidden) / right, 0.5) : 0;
}
