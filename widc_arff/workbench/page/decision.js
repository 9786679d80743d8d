// From votes to a class and to probabilities: the twin of widc_arff/model/decision.py, and of the
// parts of costs.py and label_threshold.py that decide.  All sums run in the order of the classes,
// so that both give the same numbers to the last bit; of label probabilities the last bit is that
// of the machine's exp.

export const PRIOR_WEIGHT = 1e-6;
export const INVERSE_E = 0.36787944117144233;
export const TOLERANCE = 1e-9;

/**
 * The most frequent of some votes; of equally frequent ones 0, then -1.
 * @param {number[]} votes
 */
export function baseOf(votes) {
  let base = 0;
  let most = -1;
  for (const vote of [0, -1, 1]) {
    const n = votes.filter((v) => v === vote).length;
    if (n > most) [base, most] = [vote, n];
  }
  return base;
}

/**
 * Weights as fractions of their sum.
 * @param {ArrayLike<number>} weights
 */
export function distribution(weights) {
  let total = 0;
  for (let j = 0; j < weights.length; j++) total += weights[j];
  return Array.from(weights, (w) => w / total);
}

/**
 * What decides among tied classes: the largest.
 * @param {number[]} defaults
 * @param {number[]} prior
 */
export function tieScores(defaults, prior) {
  return defaults.map((d, j) => d + PRIOR_WEIGHT * prior[j]);
}

/**
 * The default vector of the class weights of ambiguous rows; without such rows the prior.
 * @param {number[]} ambiguous
 * @param {number[]} prior
 */
export function defaultVector(ambiguous, prior) {
  return ambiguous.some((w) => w !== 0) ? distribution(ambiguous) : prior;
}

/**
 * @param {ArrayLike<number>} votes
 */
export function largest(votes) {
  let most = votes[0];
  for (let j = 1; j < votes.length; j++) if (votes[j] > most) most = votes[j];
  return most;
}

/**
 * How many classes share the largest vote.
 * @param {ArrayLike<number>} votes
 */
export function nTied(votes) {
  const most = largest(votes);
  let n = 0;
  for (let j = 0; j < votes.length; j++) if (votes[j] === most) n++;
  return n;
}

/**
 * The class with the most votes; of tied ones that of the largest score, then the first.
 * @param {ArrayLike<number>} votes
 * @param {number[]} scores
 */
export function decide(votes, scores) {
  const most = largest(votes);
  let winner = -1;
  for (let j = 0; j < votes.length; j++) {
    if (votes[j] === most && (winner < 0 || scores[j] > scores[winner])) winner = j;
  }
  return winner;
}

/**
 * Class probabilities whose largest is the decision.
 * @param {ArrayLike<number>} votes
 * @param {import("./types.js").Certainty} certainty
 */
export function probabilities(votes, { factor, frequencies, shares }) {
  const n = votes.length;
  const most = largest(votes);
  let longest = 0;
  for (let j = 0; j < n; j++) longest = Math.max(longest, most - votes[j]);
  const powers = [1];
  for (let k = 1; k <= longest; k++) powers.push(powers[k - 1] * factor);
  const tied = nTied(votes);
  let ofTied = 0;
  for (let j = 0; j < n; j++) ofTied += votes[j] === most ? shares[j] : 0;
  const parts = new Array(n);
  for (let j = 0; j < n; j++) {
    if (votes[j] !== most) parts[j] = powers[most - votes[j]] * frequencies[j];
    else parts[j] = tied > 1 && ofTied > 0 ? (shares[j] / ofTied) * tied : 1;
  }
  let total = parts[0];
  for (let j = 1; j < n; j++) total += parts[j];
  return parts.map((part) => part / total);
}

/**
 * The class of least expected cost; the one voted for, unless another costs less.
 * @param {number[]} chances
 * @param {number} voted
 * @param {number[][]} costs a row for each true class, a column for each decided one
 */
export function leastCost(chances, voted, costs) {
  const expected = chances.map(() => 0);
  costs.forEach((row, j) => row.forEach((cost, k) => (expected[k] += chances[j] * cost)));
  let least = 0;
  for (let k = 1; k < expected.length; k++) if (expected[k] < expected[least]) least = k;
  const stays = expected[voted] <= expected[least] * (1 + TOLERANCE);
  return { decision: stays ? voted : least, expected };
}

/**
 * How votes score labels, and what scores decide: the twin of LabelScores.
 * @typedef {object} LabelScores
 * @property {number[]} slopes
 * @property {number[]} intercepts
 * @property {number} middle the score of probability one half
 * @property {number} threshold from which on a row gets a label
 */

/**
 * @param {import("./types.js").LabelOdds | null} odds
 * @param {number[]} scores what decides ties, where no odds are known
 * @param {number} threshold
 * @returns {LabelScores}
 */
export function labelScores(odds, scores, threshold) {
  if (odds) return { ...odds, middle: 0, threshold };
  const intercepts = scores.map((s) => s / 2);
  return { slopes: scores.map(() => 1), intercepts, middle: threshold, threshold };
}

/**
 * What ranks the labels of a row.
 * @param {LabelScores} of
 * @param {ArrayLike<number>} votes
 */
export function rankingScores(of, votes) {
  return of.slopes.map((slope, j) => slope * votes[j] + of.intercepts[j]);
}

/**
 * @param {LabelScores} of
 * @param {ArrayLike<number>} votes
 */
export function labelSet(of, votes) {
  return rankingScores(of, votes).map((score) => score >= of.threshold);
}

/**
 * @param {number[]} ranking
 * @param {number} middle
 */
export function labelProbabilities(ranking, middle) {
  return ranking.map((score) => {
    const odds = Math.exp(-Math.abs(score - middle));
    return (score >= middle ? 1 : odds) / (1 + odds);
  });
}

/**
 * The ranking loss of a row: the share of its pairs of a label that it has and one that it lacks
 * in which the first has no higher score.
 * @param {number[]} ranking
 * @param {ArrayLike<number>} held
 */
export function rankingLoss(ranking, held) {
  const places = ranking.map((_, j) => j);
  places.sort((a, b) => ranking[b] - ranking[a] || held[a] - held[b]);
  let lacking = 0;
  let wrong = 0;
  for (const j of places) {
    if (held[j]) wrong += lacking;
    else lacking++;
  }
  const pairs = lacking * (ranking.length - lacking);
  return wrong / Math.max(pairs, 1);
}
