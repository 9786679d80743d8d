// Sums that come out as Python and numpy round them, and whole numbers.

/** @param {number} n  @param {(i: number) => boolean} test */
export function indices(n, test) {
  const found = [];
  for (let i = 0; i < n; i++) if (test(i)) found.push(i);
  return found;
}

/** @param {ArrayLike<number>} values */
export function sum(values) {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

/** The least of any number of values.  @param {ArrayLike<number>} values */
export function leastOf(values) {
  let least = Infinity;
  for (let i = 0; i < values.length; i++) least = Math.min(least, values[i]);
  return least;
}

/** The largest of any number of values.  @param {ArrayLike<number>} values */
export function mostOf(values) {
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]);
  return most;
}

/** Sums of every c-th value.  @param {Float64Array} values  @param {number} c */
export function sumsOf(values, c) {
  const sums = new Array(c).fill(0);
  for (let i = 0; i < values.length; i++) sums[i % c] += values[i];
  return sums;
}

/** @param {Float64Array} weights */
export function countOf(weights) {
  return weights.reduce((n, w) => n + (w > 0 ? 1 : 0), 0);
}

/** The sum of numbers in the order in which numpy adds them.  @param {number[]} values  @returns {number} */
export function pairwiseSum(values) {
  const n = values.length;
  if (n < 8) return sum(values);
  if (n > 128) {
    const half = Math.floor(n / 2) - (Math.floor(n / 2) % 8);
    return pairwiseSum(values.slice(0, half)) + pairwiseSum(values.slice(half));
  }
  const r = values.slice(0, 8);
  let i = 8;
  for (; i < n - (n % 8); i += 8) for (let k = 0; k < 8; k++) r[k] += values[i + k];
  let total = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
  for (; i < n; i++) total += values[i];
  return total;
}

/** The sum of numbers, rounded once (Shewchuk 1997), as Python's fsum.  @param {number[]} values */
export function exactSum(values) {
  /** @type {number[]} */
  let parts = [];
  for (let x of values) {
    /** @type {number[]} */
    const kept = [];
    for (let y of parts) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low) kept.push(low);
      x = high;
    }
    parts = [...kept, x];
  }
  return parts.reduceRight((total, part) => total + part, 0);
}

/** @param {bigint} a  @param {bigint} b */
export function lcm(a, b) {
  let [x, y] = [a, b];
  while (y) [x, y] = [y, x % y];
  return (a / x) * b;
}
