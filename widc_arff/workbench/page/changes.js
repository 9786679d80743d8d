// What would have to change in a row for another decision: the twin of the search of
// widc_arff/model/changes.py, for one row.

import { holdsOn, isCut, literal } from "./literals.js";
import { isSame } from "./measures.js";

/** @typedef {import("./types.js").Content} Content */
/** @typedef {import("./types.js").Committee} Committee */
/** @typedef {import("./types.js").Literal} Literal */

/**
 * The values of an attribute as far as a committee tells them apart.
 * @typedef {object} Axis
 * @property {number} attribute
 * @property {number[]} marks cut points, or labels
 * @property {boolean} isNominal
 * @property {(value: number) => number} regionOf -1 for a missing value
 * @property {number[]} lowest that occurred in each region; NaN where none did
 * @property {number[]} highest
 * @property {number} span
 * @property {Uint8Array[]} truth for each region, which rules hold as far as this attribute goes
 * @property {Uint8Array} ofMissing the same for a missing value
 */

/** @typedef {{attribute: number, after: number, region: Literal[], distance: number}} Step */
/** @typedef {{steps: Step[], decision: import("./measures.js").Decision, distance: number}} Change */

const MOST_TOGETHER = 3;
const MOST_COMBINATIONS = 1_000_000;
const MOST_LISTED = 5;

/**
 * The changes of the fewest attributes that flip the decision for a row, the nearest first.
 * @param {Content} content
 * @param {Committee} committee
 * @param {number[]} row a value for each attribute
 * @param {(votes: number[]) => import("./measures.js").Decision} decision
 * @returns {Change[]}
 */
export function nearestChanges(content, committee, row, decision) {
  const axes = axesOf(content, committee);
  const now = axes.map((axis) => axis.regionOf(row[axis.attribute]));
  const held = axes.map((axis, i) => (now[i] < 0 ? axis.ofMissing : axis.truth[now[i]]));
  const decided = decision(votesOf(committee, held));
  for (let size = 1; size <= mostTogether(axes); size++) {
    /** @type {Change[]} */
    const found = [];
    for (const set of combinations(axes.length, size)) {
      const change = nearestOf(set, axes, now, held, row, committee, decision, decided);
      if (change) found.push(change);
    }
    found.sort((a, b) => a.distance - b.distance);
    if (found.length) return found.slice(0, MOST_LISTED);
  }
  return [];
}

/** @param {Axis[]} axes */
function mostTogether(axes) {
  let n = 0;
  for (const set of combinations(axes.length, MOST_TOGETHER)) {
    n += set.reduce((product, i) => product * axes[i].truth.length, 1);
    if (n > MOST_COMBINATIONS) return MOST_TOGETHER - 1;
  }
  return MOST_TOGETHER;
}

/**
 * @param {number[]} set
 * @param {Axis[]} axes
 * @param {number[]} now
 * @param {Uint8Array[]} held
 * @param {number[]} row
 * @param {Committee} committee
 * @param {(votes: number[]) => import("./measures.js").Decision} decision
 * @param {import("./measures.js").Decision} decided
 * @returns {Change | null}
 */
function nearestOf(set, axes, now, held, row, committee, decision, decided) {
  const tried = [...held];
  /** @type {Change | null} */
  let best = null;
  const far = set.map((i) => distancesOf(axes[i], row[axes[i].attribute], now[i]));
  /** @param {number} depth  @param {number} distance  @param {number[]} regions */
  const visit = (depth, distance, regions) => {
    if (best && distance >= best.distance) return;
    if (depth === set.length) {
      const found = decision(votesOf(committee, tried));
      if (isSame(found, decided)) return;
      const steps = set.map((i, d) => stepOf(axes[i], row, regions[d], far[d][regions[d]]));
      best = { steps, decision: found, distance };
      return;
    }
    const axis = axes[set[depth]];
    for (let region = 0; region < axis.truth.length; region++) {
      if (!Number.isFinite(far[depth][region])) continue;
      tried[set[depth]] = axis.truth[region];
      visit(depth + 1, distance + far[depth][region], [...regions, region]);
    }
    tried[set[depth]] = held[set[depth]];
  };
  visit(0, 0, []);
  return best;
}

/** @param {Axis} axis  @param {number[]} row  @param {number} region  @param {number} distance  @returns {Step} */
function stepOf(axis, row, region, distance) {
  const { attribute, marks } = axis;
  const after = entryOf(axis, row[attribute], region);
  /** @type {Literal[]} */
  const ends = [];
  if (axis.isNominal) ends.push(literal(attribute, "=", after));
  else {
    if (region > 0) ends.push(literal(attribute, ">", marks[region - 1]));
    if (region < marks.length) ends.push(literal(attribute, "<=", marks[region]));
  }
  return { attribute, after, region: ends, distance };
}

/** The value of a region that is nearest to another.  @param {Axis} axis  @param {number} value  @param {number} region */
const entryOf = ({ lowest, highest, isNominal }, value, region) =>
  !isNominal && value > highest[region] ? highest[region] : lowest[region];

/**
 * How far a value is from each region, in parts of the span.
 * @param {Axis} axis
 * @param {number} value
 * @param {number} now
 */
function distancesOf(axis, value, now) {
  return axis.truth.map((_, region) => {
    const entry = entryOf(axis, value, region);
    if (region === now || Number.isNaN(entry)) return Infinity;
    const far = axis.isNominal || !(axis.span > 0) ? NaN : Math.abs(value - entry) / axis.span;
    return Number.isFinite(far) ? far : 1;
  });
}

/** @param {Committee} committee  @param {Uint8Array[]} held */
function votesOf({ rules, weights }, held) {
  const votes = new Array(weights.length).fill(0);
  rules.forEach((rule, k) => {
    if (held.every((truth) => truth[k])) rule.votes.forEach((v, j) => (votes[j] += v));
  });
  return votes;
}

/** @param {Content} content  @param {Committee} committee  @returns {Axis[]} */
function axesOf({ attributes }, { rules, seen }) {
  const literals = rules.flatMap((rule) => rule.literals);
  const used = [...new Set(literals.map((l) => l.attribute))].sort((a, b) => a - b);
  return used.map((attribute) => {
    const own = literals.filter((l) => l.attribute === attribute);
    const isNominal = attributes[attribute].type === "nominal";
    const known = seen.get(attribute);
    const holds = (/** @type {number} */ value) =>
      Uint8Array.from(rules, (rule) =>
        rule.literals.every((l) => l.attribute !== attribute || holdsOn(l, value, isNominal))
          ? 1
          : 0,
      );
    const cuts = [...new Set(own.filter(isCut).map((l) => l.value))].sort((a, b) => a - b);
    const { probes, ...ends } = isNominal
      ? labelsOf(own, attributes[attribute].values.length, known)
      : endsOf(cuts, known);
    return { attribute, isNominal, ...ends, truth: probes.map(holds), ofMissing: holds(NaN) };
  });
}

/**
 * Labels that satisfy the same literals are a region, entered at its first one that occurred.
 * @param {Literal[]} own
 * @param {number} n
 * @param {number[] | undefined} known
 */
function labelsOf(own, n, known) {
  /** @type {Map<string, number>} */
  const places = new Map();
  const codes = Array.from({ length: n }, (_, code) => code);
  const regions = codes.map((code) => {
    const key = own.map((l) => Number(holdsOn(l, code, true))).join("");
    if (!places.has(key)) places.set(key, places.size);
    return /** @type {number} */ (places.get(key));
  });
  const inside = [...places.values()].map((region) => codes.filter((c) => regions[c] === region));
  const found = inside.map((of) => of.find((code) => !known || known.includes(code)) ?? NaN);
  return {
    marks: [],
    probes: inside.map((of) => of[0]),
    regionOf: (/** @type {number} */ value) => (value >= 0 ? regions[value] : -1),
    lowest: found,
    highest: found,
    span: 0,
  };
}

/** @param {number[]} marks  @param {number[] | undefined} known */
function endsOf(marks, known) {
  const place = (/** @type {number} */ value) => marks.filter((cut) => cut < value).length;
  const regions = [...marks, Infinity].map((_, region) => region);
  const all = known ? [...known].sort((a, b) => a - b) : marks;
  const inside = regions.map((region) => all.filter((value) => place(value) === region));
  // without values that occurred: the ends of the regions, the outer ones of one value
  const above = (/** @type {number} */ region) => nextAbove(marks[region - 1]);
  const lowest = regions.map((r) =>
    known ? (inside[r][0] ?? NaN) : r ? above(r) : (marks[0] ?? 0),
  );
  const highest = regions.map((r) =>
    known ? (inside[r][inside[r].length - 1] ?? NaN) : r < marks.length ? marks[r] : lowest[r],
  );
  return {
    marks,
    probes: [...marks, Infinity],
    regionOf: (/** @type {number} */ value) => (Number.isNaN(value) ? -1 : place(value)),
    lowest,
    highest,
    span: all.length > 1 ? all[all.length - 1] - all[0] : Math.abs(all[0] ?? 0),
  };
}

/** The next larger number.  @param {number} value */
function nextAbove(value) {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value === 0 ? 0 : value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value >= 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

/** @param {number} n  @param {number} size  @returns {Generator<number[]>} */
function* combinations(n, size, from = 0) {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = from; i < n; i++) {
    for (const rest of combinations(n, size - 1, i + 1)) yield [i, ...rest];
  }
}
