// Odds of labels by their votes: the twin of label_odds_of of widc_arff/induction/calibrating.py.

import { TOLERANCE } from "./decision.js";

/** @typedef {import("./types.js").Content} Content */
/** @typedef {import("./patterns.js").Patterns} Patterns */

const GRID = 256;
const PRIOR_EXAMPLES = 10;
const MORE_OF_LITERAL = 10;
const MOST_MORE = 0.2;
const MOST_STEPS = 100;
const LEAST_CHANCE = 1e-300;

/**
 * How many examples that say nothing are added, of each label.
 * @param {import("./types.js").Rule[]} rules
 * @param {number} c
 */
export function saidNothing(rules, c) {
  const more = new Array(c).fill(0);
  for (const { literals, votes } of rules) {
    const named = Math.max(votes.filter((vote) => vote !== 0).length, 1);
    votes.forEach((vote, j) => (more[j] += vote === 0 ? 0 : literals.length / named));
  }
  return more.map((literals) => PRIOR_EXAMPLES + MORE_OF_LITERAL * literals);
}

/**
 * @param {Content} content
 * @param {Patterns} patterns
 * @param {number[]} counted
 * @param {number[]} nMore
 * @returns {import("./types.js").LabelOdds}
 */
export function fittedOdds({ data, fit, labels }, patterns, counted, nMore) {
  const c = labels.length;
  const lowest = patterns.votes.reduce((a, b) => Math.min(a, b), 0);
  const n = patterns.votes.reduce((a, b) => Math.max(a, b), 0) - lowest + 1;
  const values = Array.from({ length: n }, (_, k) => lowest + k);
  const [slopes, intercepts] = [new Array(c), new Array(c)];
  for (let j = 0; j < c; j++) {
    const [counts, positive] = [new Array(n).fill(0), new Array(n).fill(0)];
    for (const i of counted) {
      const place = patterns.votes[patterns.of[i] * c + j] - lowest;
      counts[place] += fit.told[i];
      if (data.Y[i * c + j]) positive[place] += fit.told[i];
    }
    [slopes[j], intercepts[j]] = oddsOf(
      values,
      counts.map((w) => w * fit.exampleWeight),
      positive.map((w) => w * fit.exampleWeight),
      nMore[j],
    );
  }
  return { slopes, intercepts };
}

/** @param {number[]} values */
const total = (values) => values.reduce((a, b) => a + b, 0);

/** @param {number[]} a  @param {number[]} b */
const dot = (a, b) => a.reduce((s, x, k) => s + x * b[k], 0);

/** To a whole number of parts, halves to the even one.  @param {number} x */
function inParts(x) {
  const [parts, low] = [x * GRID, Math.floor(x * GRID)];
  const isHigh = parts - low > 0.5 || (parts - low === 0.5 && low % 2 !== 0);
  return (isHigh ? low + 1 : low) / GRID + 0;
}

/**
 * @param {number[]} values
 * @param {number[]} told examples with each value
 * @param {number[]} held those that have the label
 * @param {number} nMore
 */
function oddsOf(values, told, held, nMore) {
  const all = total(told);
  const share = (total(held) + 0.5) / (all + 1);
  const more = told.map((w) => w * Math.min(nMore / all, MOST_MORE));
  const counts = told.map((w, k) => w + more[k]);
  const positive = held.map((w, k) => w + more[k] * share);
  const plain = Math.log(total(positive) / (total(counts) - total(positive)));
  if (counts.filter((w) => w > 0).length <= 1) {
    const only = values[counts.indexOf(Math.max(...counts))];
    return [1, inParts(plain - only)];
  }
  const [slope, intercept] = logistic(values, counts, positive);
  return slope > 0 ? [inParts(slope), inParts(intercept)] : [0, inParts(plain)];
}

/** @param {number[]} values  @param {number[]} counts  @param {number[]} positive */
function logistic(values, counts, positive) {
  let [slope, intercept] = [0, 0];
  const squares = values.map((v) => v * v);
  for (let step = 0; step < MOST_STEPS; step++) {
    const p = values.map((v) => 1 / (1 + Math.exp(-(slope * v + intercept))));
    const wanted = positive.map((w, k) => w - counts[k] * p[k]);
    const curve = counts.map((w, k) => w * p[k] * (1 - p[k]));
    const [g0, g1] = [total(wanted), dot(wanted, values)];
    const [h0, h1, h2] = [total(curve), dot(curve, values), dot(curve, squares)];
    const det = Math.max(h0 * h2 - h1 * h1, LEAST_CHANCE);
    const steps = [(h2 * g0 - h1 * g1) / det, (h0 * g1 - h1 * g0) / det];
    const scale = Math.max(...steps.map(Math.abs), 1);
    intercept += steps[0] / scale;
    slope += steps[1] / scale;
    if (Math.max(...steps.map(Math.abs)) / scale < TOLERANCE) break;
  }
  return [slope, intercept];
}
