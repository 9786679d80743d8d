// How right a committee is on rows: as widc_arff/evaluation counts it, with the weights of rows.

import { certaintyOf, scoresOf } from "./fitting.js";
import {
  decide,
  labelProbabilities,
  labelScores,
  labelSet,
  largest,
  leastCost,
  probabilities,
  rankingLoss,
  rankingScores,
} from "./decision.js";
import { classWeights, forEachPattern, patternsOf, without } from "./patterns.js";

/** @typedef {import("./types.js").Content} Content */
/** @typedef {import("./types.js").Committee} Committee */
/** @typedef {import("./patterns.js").Patterns} Patterns */
/** @typedef {import("./patterns.js").Covers} Covers */

/**
 * What votes decide: a class, or of label sets which labels.
 * @typedef {number | boolean[]} Decision
 */

/** @typedef {{low: number, weight: number, predicted: number, observed: number}} Bin */

/**
 * What a rule does on rows; all are weights.
 * @typedef {object} RuleOnRows
 * @property {number} covered
 * @property {number} right rows of classes that it favours
 * @property {number} chance weight of all rows of these classes
 * @property {number} mistakes rows that it covers and that are decided wrongly
 * @property {number} toBlame those where it votes for the wrong class over the true one
 * @property {number} decides
 * @property {number} saved
 * @property {number} spoiled
 * @property {number[]} ofClasses covered rows of each class
 */

/**
 * What a committee does on the rows of a file.
 * @typedef {object} Outcome
 * @property {Patterns} patterns
 * @property {Decision[]} decided for each pattern
 * @property {number} weight of the rows that count
 * @property {number} wrong weight of those decided wrongly; of label sets of those with another set
 * @property {number} error share of them; of label sets the ranking loss
 * @property {number | null} cost per row
 * @property {number[][]} confusion true classes by decided ones; of label sets for each label: right, missed, too much
 * @property {{hamming: number, exact: number} | null} ofSets
 * @property {Bin[]} bins
 * @property {number} calibration the mean distance of probability and share of right
 * @property {RuleOnRows[]} rules
 * @property {Uint8Array} isWrong for each row
 */

/**
 * How a committee decides, given summed votes.
 * @param {Content} content
 * @param {Committee} committee
 */
export function deciding({ areSets, costs }, committee) {
  const scores = scoresOf(committee);
  const certainty = certaintyOf(committee);
  const ofLabels = labelScoresOf(committee);
  const chances = (/** @type {ArrayLike<number>} */ votes) =>
    areSets
      ? labelProbabilities(rankingScores(ofLabels, votes), ofLabels.middle)
      : probabilities(votes, certainty);
  /** @type {(votes: ArrayLike<number>) => Decision} */
  const decision = (votes) => {
    if (areSets) return labelSet(ofLabels, votes);
    const voted = decide(votes, scores);
    return costs ? leastCost(chances(votes), voted, costs).decision : voted;
  };
  return { scores, chances, decision };
}

/** How votes score labels.  @param {Committee} committee */
const labelScoresOf = (committee) =>
  labelScores(committee.odds, scoresOf(committee), committee.threshold ?? 0);

/** @param {Decision} a  @param {Decision} b */
export const isSame = (a, b) =>
  typeof a === "number" || typeof b === "number" ? a === b : a.every((held, j) => held === b[j]);

/**
 * @param {Content} content
 * @param {Committee} committee
 * @param {Covers} covers
 * @returns {Outcome}
 */
export function outcomeOf(content, committee, covers) {
  const { labels, areSets } = content;
  const patterns = patternsOf(covers, committee.rules, labels.length);
  const how = deciding(content, committee);
  /** @type {Decision[]} */
  const decided = [];
  /** @type {number[][]} */
  const chances = [];
  forEachPattern(patterns, labels.length, (votes) => {
    decided.push(how.decision(votes));
    chances.push(how.chances(votes));
  });
  /** @type {Decision[][]} */
  const others = committee.rules.map((rule, k) => {
    /** @type {Decision[]} */
    const found = [];
    forEachPattern(patterns, labels.length, (votes, _, p) => {
      found.push(patterns.holds[k][p] ? how.decision(without(votes, rule.votes)) : decided[p]);
    });
    return found;
  });
  const parts = { content, committee, covers, patterns, decided, chances, others };
  return areSets ? outcomeOfSets(parts) : outcomeOfClasses(parts);
}

/**
 * @typedef {{content: Content, committee: Committee, covers: Covers, patterns: Patterns,
 *   decided: Decision[], chances: number[][], others: Decision[][]}} Parts
 */

/** @param {Parts} parts  @returns {Outcome} */
function outcomeOfClasses({ content, committee, covers, patterns, decided, chances, others }) {
  const { rows } = covers;
  const c = content.labels.length;
  const own = /** @type {number[]} */ (decided);
  const weights = classWeights(patterns, rows, rows.weights, c);
  const confusion = Array.from({ length: c }, () => new Array(c).fill(0));
  const points = new Points();
  let cost = 0;
  const costs = content.model.training.options.costs ?? content.costs;
  forEachPattern(patterns, c, (_, at, p) => {
    const chance = largest(chances[p]);
    for (let j = 0; j < c; j++) {
      const weight = weights[at + j];
      if (!weight) continue;
      confusion[j][own[p]] += weight;
      if (costs) cost += weight * costs[j][own[p]];
      points.add(chance, j === own[p], weight);
    }
  });
  const total = confusion.flat().reduce((s, w) => s + w, 0);
  const right = confusion.reduce((s, row, j) => s + row[j], 0);
  const isWrong = new Uint8Array(rows.n);
  for (let i = 0; i < rows.n; i++) {
    isWrong[i] = rows.classes[i] >= 0 && rows.classes[i] !== own[patterns.of[i]] ? 1 : 0;
  }
  const ofClasses = confusion.map((row) => row.reduce((s, w) => s + w, 0));
  const rules = committee.rules.map((rule, k) => {
    const found = nothing(c);
    const most = largest(rule.votes);
    const favours = rule.votes.map((v) => v === most && rule.votes.some((w) => w !== most));
    found.chance = ofClasses.reduce((s, w, j) => s + (favours[j] ? w : 0), 0);
    for (let p = 0; p < patterns.n; p++) {
      if (!patterns.holds[k][p]) continue;
      const other = others[k][p];
      for (let j = 0; j < c; j++) {
        const weight = weights[p * c + j];
        if (!weight) continue;
        const isRight = j === own[p];
        found.ofClasses[j] += weight;
        found.covered += weight;
        if (favours[j]) found.right += weight;
        if (!isRight) found.mistakes += weight;
        if (!isRight && rule.votes[own[p]] > rule.votes[j]) found.toBlame += weight;
        if (other === own[p]) continue;
        found.decides += weight;
        if (isRight) found.saved += weight;
        if (other === j) found.spoiled += weight;
      }
    }
    return found;
  });
  return {
    patterns,
    decided,
    weight: total,
    wrong: total - right,
    error: (total - right) / total,
    cost: costs ? cost / total : null,
    confusion,
    ofSets: null,
    ...points.told(),
    rules,
    isWrong,
  };
}

/** @param {Parts} parts  @returns {Outcome} */
function outcomeOfSets({ content, committee, covers, patterns, decided, chances, others }) {
  const { rows } = covers;
  const c = content.labels.length;
  const confusion = Array.from({ length: c }, () => [0, 0, 0]);
  const points = new Points();
  const ofLabels = labelScoresOf(committee);
  const ranking = [...decided.keys()].map((p) =>
    rankingScores(ofLabels, patterns.votes.subarray(p * c, p * c + c)),
  );
  const isWrong = new Uint8Array(rows.n);
  const rules = committee.rules.map(() => nothing(c));
  let [total, loss, cells, exact] = [0, 0, 0, 0];
  for (let i = 0; i < rows.n; i++) {
    if (!rows.known[i]) continue;
    const [p, weight] = [patterns.of[i], rows.weights[i]];
    const set = /** @type {boolean[]} */ (decided[p]);
    const held = rows.Y.subarray(i * c, i * c + c);
    let wrong = 0;
    for (let j = 0; j < c; j++) {
      if (set[j] !== held[j] > 0) wrong++;
      if (set[j] && held[j]) confusion[j][0] += weight;
      if (!set[j] && held[j]) confusion[j][1] += weight;
      if (set[j] && !held[j]) confusion[j][2] += weight;
      points.add(chances[p][j], held[j] > 0, weight);
    }
    total += weight;
    loss += weight * rankingLoss(ranking[p], held);
    cells += (weight * wrong) / c;
    if (!wrong) exact += weight;
    isWrong[i] = wrong ? 1 : 0;
    committee.rules.forEach((rule, k) => {
      if (patterns.holds[k][p])
        addToRule(rules[k], rule.votes, weight, held, set, /** @type {boolean[]} */ (others[k][p]));
    });
  }
  return {
    patterns,
    decided,
    weight: total,
    wrong: total - exact,
    error: loss / total,
    cost: null,
    confusion,
    ofSets: { hamming: cells / total, exact: exact / total },
    ...points.told(),
    rules,
    isWrong,
  };
}

/**
 * Of label sets: right is the mean share of the votes of a rule that are right.
 * @param {RuleOnRows} found
 * @param {number[]} votes
 * @param {number} weight
 * @param {Uint8Array} held
 * @param {boolean[]} set
 * @param {boolean[]} other
 */
function addToRule(found, votes, weight, held, set, other) {
  const told = votes.map((v, j) => (v ? v > 0 === held[j] > 0 : null)).filter((r) => r !== null);
  const n = told.filter(Boolean).length;
  const errors = (/** @type {boolean[]} */ labels) =>
    labels.filter((h, j) => h !== held[j] > 0).length;
  found.covered += weight;
  if (told.length) found.right += (weight * n) / told.length;
  held.forEach((h, j) => (found.ofClasses[j] += h ? weight : 0));
  const [now, then] = [errors(set), errors(other)];
  if (now) found.mistakes += weight;
  if (votes.some((v, j) => set[j] !== held[j] > 0 && (set[j] ? v > 0 : v < 0)))
    found.toBlame += weight;
  if (isSame(set, other)) return;
  found.decides += weight;
  if (now < then) found.saved += weight;
  if (now > then) found.spoiled += weight;
}

/** @param {number} c  @returns {RuleOnRows} */
function nothing(c) {
  const zeros = {
    covered: 0,
    right: 0,
    chance: 0,
    mistakes: 0,
    toBlame: 0,
    decides: 0,
    saved: 0,
    spoiled: 0,
  };
  return { ...zeros, ofClasses: new Array(c).fill(0) };
}

/** Probabilities against what happened, in ten bins. */
class Points {
  constructor() {
    this.sums = Array.from({ length: 10 }, () => ({ weight: 0, chance: 0, right: 0 }));
  }

  /** @param {number} chance  @param {boolean} isRight  @param {number} weight */
  add(chance, isRight, weight) {
    let place = Math.min(Math.floor(chance * 10), 9);
    if (place < 9 && chance >= (place + 1) / 10) place++;
    if (place > 0 && chance < place / 10) place--;
    const bin = this.sums[place];
    bin.weight += weight;
    bin.chance += weight * chance;
    if (isRight) bin.right += weight;
  }

  told() {
    const bins = this.sums
      .map(({ weight, chance, right }, k) => ({
        low: k / 10,
        weight,
        predicted: chance / weight,
        observed: right / weight,
      }))
      .filter((bin) => bin.weight > 0);
    const total = bins.reduce((s, bin) => s + bin.weight, 0);
    const calibration =
      bins.reduce((s, b) => s + b.weight * Math.abs(b.predicted - b.observed), 0) / total;
    return { bins, calibration };
  }
}

/**
 * The weight of wrong rows for which each rule is to blame: where it votes for what is wrong.
 * @param {Content} content
 * @param {Committee} committee
 * @param {Outcome} outcome
 * @param {import("./types.js").Rows} rows
 * @param {number[]} chosen wrong rows
 */
export function blameOf({ labels, areSets }, committee, outcome, rows, chosen) {
  const c = labels.length;
  const blame = committee.rules.map(() => 0);
  let [all, none] = [0, 0];
  for (const i of chosen) {
    const p = outcome.patterns.of[i];
    const own = outcome.decided[p];
    /** @param {number[]} votes */
    const misleads = (votes) =>
      areSets
        ? labels.some((_, j) => {
            const [held, got] = [rows.Y[i * c + j] > 0, /** @type {boolean[]} */ (own)[j]];
            return held !== got && (got ? votes[j] > 0 : votes[j] < 0);
          })
        : votes[/** @type {number} */ (own)] > votes[rows.classes[i]];
    let isBlamed = false;
    committee.rules.forEach((rule, k) => {
      if (!outcome.patterns.holds[k][p] || !misleads(rule.votes)) return;
      blame[k] += rows.weights[i];
      isBlamed = true;
    });
    all += rows.weights[i];
    if (!isBlamed) none += rows.weights[i];
  }
  return { blame, all, none };
}
