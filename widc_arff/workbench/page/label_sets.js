// Committees for label sets fitted to rows: default vector, odds, threshold, figures of rules.

import {
  TOLERANCE,
  defaultVector,
  distribution,
  labelProbabilities,
  labelScores,
  labelSet,
  rankingLoss,
  rankingScores,
} from "./decision.js";
import { fittedOdds, saidNothing } from "./label_odds.js";
import { forEachPattern, without } from "./patterns.js";
import { exactSum, indices, lcm, leastOf } from "./sums.js";

/** @typedef {import("./types.js").Committee} Committee */
/** @typedef {import("./types.js").Rule} Rule */
/** @typedef {import("./types.js").Content} Content */
/** @typedef {import("./patterns.js").Patterns} Patterns */

/** @param {Content} content  @param {Rule[]} rules  @param {Patterns} patterns  @returns {Committee} */
export function fittedToSets(content, rules, patterns) {
  const { data, fit, labels } = content;
  const c = labels.length;
  const counted = indices(data.n, (i) => fit.told[i] > 0);
  const quanta = new Array(c).fill(0);
  let total = 0;
  for (const i of counted) {
    total += fit.told[i];
    for (let j = 0; j < c; j++) if (data.Y[i * c + j]) quanta[j] += fit.told[i];
  }
  const vector = defaultOfSets(content, patterns, counted, quanta);
  const weights = quanta.map((w) => w * fit.quantum);
  const learned = rules.filter((rule) => !rule.locked);
  const odds = fittedOdds(content, patterns, counted, saidNothing(learned, c));
  const of = labelScores(odds, [], 0);
  /** @type {number[][]} */
  const ranking = [];
  forEachPattern(patterns, c, (votes) => ranking.push(rankingScores(of, votes)));
  const threshold = thresholdOf(content, patterns, counted, ranking);
  of.threshold = threshold;
  const sets = ranking.map((scores) => scores.map((score) => score >= threshold));
  const inUnits = new Float64Array(patterns.n);
  /** @type {number[]} */
  const losses = [];
  /** @type {number[]} */
  const wrong = [];
  for (const i of counted) {
    const p = patterns.of[i];
    const held = data.Y.subarray(i * c, i * c + c);
    inUnits[p] += fit.told[i] * fit.quantum;
    losses.push(fit.told[i] * rankingLoss(ranking[p], held));
    wrong.push(fit.told[i] * (sets[p].filter((has, j) => has !== held[j] > 0).length / c));
  }
  const figures = rules.map((rule, k) => {
    const covers = new Array(c).fill(0);
    let [weight, decides] = [0, 0];
    for (const i of counted) {
      if (!patterns.holds[k][patterns.of[i]]) continue;
      weight += fit.told[i] * fit.quantum;
      for (let j = 0; j < c; j++) if (data.Y[i * c + j]) covers[j] += fit.told[i] * fit.quantum;
    }
    forEachPattern(patterns, c, (votes, _, p) => {
      if (!patterns.holds[k][p]) return;
      const others = labelSet(of, without(votes, rule.votes));
      if (others.some((held, j) => held !== sets[p][j])) decides += inUnits[p];
    });
    return { covers, weight, decides };
  });
  const weight = total * fit.quantum;
  return {
    rules,
    default: vector,
    certainty: null,
    threshold,
    odds,
    weights,
    figures,
    examples: counted.length,
    error: exactSum(losses) / total,
    ties: null,
    weight: weight === counted.length ? null : weight,
    hamming: exactSum(wrong) / total,
    seen: new Map(),
    isNew: true,
  };
}

/**
 * The mean of Y / |Y| over the rows that have a label with the same votes as one that they lack.
 * @param {Content} content
 * @param {Patterns} patterns
 * @param {number[]} counted
 * @param {number[]} ofLabels
 */
function defaultOfSets({ data, fit, labels }, patterns, counted, ofLabels) {
  const c = labels.length;
  const present = indices(c, (j) => ofLabels[j] > 0);
  /** @type {{i: number, held: number[]}[]} */
  const ambiguous = [];
  let parts = 1n;
  for (const i of counted) {
    const held = present.filter((j) => data.Y[i * c + j]);
    if (!held.length || held.length === present.length) continue;
    parts = lcm(parts, BigInt(held.length));
    const at = patterns.of[i] * c;
    const inside = new Set(held.map((j) => patterns.votes[at + j]));
    const isTied = present.some((j) => !data.Y[i * c + j] && inside.has(patterns.votes[at + j]));
    if (isTied) ambiguous.push({ i, held });
  }
  // in whole parts the sums are exact
  const whole = parts < 1n << 40n ? Number(parts) : 1;
  const sums = new Array(c).fill(0);
  for (const { i, held } of ambiguous) {
    for (const j of held) sums[j] += (fit.told[i] * whole) / held.length;
  }
  return defaultVector(sums, distribution(ofLabels));
}

/**
 * The threshold that the aim of sets wants.
 * @param {Content} content
 * @param {Patterns} patterns
 * @param {number[]} counted
 * @param {number[][]} ranking
 */
function thresholdOf(content, patterns, counted, ranking) {
  const wanted = content.model.training.options.sets ?? "hamming";
  if (wanted === "hamming") return 0;
  if (wanted === "cardinality") return calibratedThreshold(content, patterns, counted, ranking);
  const ofPattern = new Float64Array(patterns.n);
  for (const i of counted) ofPattern[patterns.of[i]] += content.fit.told[i];
  /** @type {Map<number, number>} */
  const ofScore = new Map();
  ranking.forEach((scores, p) => {
    for (const score of scores) ofScore.set(score, (ofScore.get(score) ?? 0) + ofPattern[p]);
  });
  const falling = [...ofScore.entries()].sort((a, b) => b[0] - a[0]);
  const chances = labelProbabilities(
    falling.map(([score]) => score),
    0,
  );
  const all = falling.reduce((total, [, weight], k) => total + weight * chances[k], 0);
  let [found, predicted, half] = [0, 0, 0];
  falling.forEach(([, weight], k) => {
    found += weight * chances[k];
    predicted += weight;
    half = Math.max(half, found / (predicted + all));
  });
  return half > 0 ? Math.log(half / (1 - half)) : 0;
}

/**
 * The threshold whose label cardinality is nearest that of the rows.
 * @param {Content} content
 * @param {Patterns} patterns
 * @param {number[]} counted
 * @param {number[][]} ranking
 */
function calibratedThreshold({ data, fit, labels }, patterns, counted, ranking) {
  const c = labels.length;
  const ofPattern = new Float64Array(patterns.n);
  let [cardinality, total] = [0, 0];
  for (const i of counted) {
    ofPattern[patterns.of[i]] += fit.told[i];
    total += fit.told[i];
    for (let j = 0; j < c; j++) if (data.Y[i * c + j]) cardinality += fit.told[i];
  }
  /** @type {Map<number, number>} */
  const ofScore = new Map();
  ranking.forEach((scores, p) => {
    if (!ofPattern[p]) return;
    for (const score of scores) ofScore.set(score, (ofScore.get(score) ?? 0) + ofPattern[p]);
  });
  const distinct = [...ofScore.keys()].sort((a, b) => a - b);
  const distances = new Array(distinct.length + 1);
  let predicted = 0;
  distances[distinct.length] = cardinality / total;
  for (let k = distinct.length - 1; k >= 0; k--) {
    predicted += /** @type {number} */ (ofScore.get(distinct[k]));
    distances[k] = Math.abs(predicted - cardinality) / total;
  }
  const nearest = leastOf(distances);
  let k = distances.length - 1;
  while (distances[k] > nearest + TOLERANCE * (1 + nearest)) k--;
  if (k === 0) return distinct[0] - 0.5;
  if (k === distinct.length) return distinct[k - 1] + 0.5;
  const [below, above] = [distinct[k - 1], distinct[k]];
  const middle = below + (above - below) / 2;
  return middle > below ? middle : above;
}
