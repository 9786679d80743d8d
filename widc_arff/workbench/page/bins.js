// How the values of an attribute are spread over the classes, and the places where that is drawn.

import { h } from "./dom.js";
import { counted } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */

export const WIDTH = 520;
export const HEIGHT = 132;
export const FLOOR = HEIGHT - 24;
export const MOST_BINS = 40;

/**
 * Weight of the rows of each class with each value of an attribute.
 * @param {Store} store
 * @param {number} attribute
 */
export function weightsByValue(store, attribute) {
  const { rows } = store.shownRows;
  const { codes, values } = rows.columns[attribute];
  const c = store.content.areSets ? 1 : store.content.labels.length;
  const sums = Array.from({ length: values.length + 1 }, () => new Float64Array(c));
  for (let i = 0; i < rows.n; i++) {
    const j = store.content.areSets ? 0 : rows.classes[i];
    if (j >= 0) sums[codes[i]][j] += rows.weights[i];
  }
  return { values, sums };
}

/**
 * Weights in bins of equal width, or in one for each of a few values.
 * @param {ArrayLike<number>} values
 * @param {Float64Array[]} sums
 */
export function binned(values, sums) {
  const n = values.length;
  const finite = Array.from(values).filter(Number.isFinite);
  const [low, high] = [finite[0] ?? 0, finite[finite.length - 1] ?? 1];
  const half = high > low ? high / 2 - low / 2 : 0.5;
  const partOf = (/** @type {number} */ value) => (value / 2 - low / 2) / half;
  const nBins = Math.min(MOST_BINS, Math.max(n, 1));
  const isFew = n <= MOST_BINS;
  const margin = isFew ? 0.5 / Math.max(n, 1) : 0;
  const x = (/** @type {number} */ value) => {
    const part = Math.min(Math.max(partOf(value), -margin), 1 + margin);
    return 8 + ((part + margin) / (1 + 2 * margin)) * (WIDTH - 16);
  };
  const valueAt = (/** @type {number} */ at) =>
    low + (((at - 8) / (WIDTH - 16)) * (1 + 2 * margin) - margin) * 2 * half;
  /** @type {{from: number, to: number, sums: Float64Array}[]} */
  const bins = [];
  const width = isFew ? Math.max(Math.min(18, (WIDTH - 16) / (n * 1.6)), 2) : 0;
  for (let b = 0; b < nBins; b++) {
    const from = isFew ? x(values[b]) - width / 2 : 8 + (b * (WIDTH - 16)) / nBins + 0.5;
    const to = isFew ? x(values[b]) + width / 2 : 8 + ((b + 1) * (WIDTH - 16)) / nBins - 0.5;
    bins.push({ from, to, sums: new Float64Array(sums[0].length) });
  }
  for (let code = 0; code < n; code++) {
    const part = partOf(values[code]);
    const b = isFew ? code : Math.min(Math.floor(Math.max(part, 0) * nBins), nBins - 1);
    for (let j = 0; j < bins[b].sums.length; j++) bins[b].sums[j] += sums[code][j];
  }
  return { bins, x, valueAt, low, high };
}

/** How many rows lack the value.  @param {Float64Array} sums */
export function missing(sums) {
  const weight = sums.reduce((a, b) => a + b, 0);
  return weight > 0 && h("span", { class: "quiet" }, `${counted(weight, "row")} without a value`);
}
