// What the command put into the page: a header in JSON, then the columns as they lie in memory, all
// of it compressed.

import { literalOf } from "./literals.js";

const MOST_COLOURS = 7;

/** @typedef {import("./types.js").Content} Content */
/** @typedef {import("./types.js").Rows} Rows */
/** @typedef {import("./types.js").Committee} Committee */

/**
 * @param {string} text base64 of compressed bytes
 * @returns {Promise<Content>}
 */
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  return contentIn(buffer);
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {Content}
 */
export function contentIn(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  return contentOf(header, (/** @type {{type: string, at: number, n: number}} */ array) => {
    const types = {
      u1: Uint8Array,
      u2: Uint16Array,
      u4: Uint32Array,
      i4: Int32Array,
      f8: Float64Array,
    };
    const type = types[/** @type {keyof types} */ (array.type)];
    return new type(buffer, 8 + length + array.at, array.n);
  });
}

/**
 * @param {any} header
 * @param {(array: any) => any} array
 * @returns {Content}
 */
export function contentOf(header, array) {
  const rows = (/** @type {any} */ of) => ({
    name: of.name,
    n: of.n,
    numbers: array(of.numbers),
    columns: of.columns.map((/** @type {any} */ column, /** @type {number} */ a) => ({
      codes: array(column.codes),
      values: column.values
        ? array(column.values)
        : Float64Array.from(header.attributes[a].values.keys()),
    })),
    classes: array(of.classes),
    Y: array(of.Y),
    known: array(of.known),
    weights: of.weights ? array(of.weights) : new Float64Array(of.n).fill(1),
  });
  const told = array(header.fit.told);
  return {
    ...header,
    colours: coloursOf(header.model.training.weights),
    data: rows(header.data),
    test: header.test && rows(header.test),
    fit: { ...header.fit, told, sample: header.fit.sample ? array(header.fit.sample) : told },
  };
}

/**
 * The colours of the classes: all have one, or those that are most frequent in training.
 * @param {number[]} weights of the classes
 * @returns {(number | null)[]}
 */
function coloursOf(weights) {
  const largest = [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b);
  const own = largest.slice(0, MOST_COLOURS).sort((a, b) => a - b);
  return weights.map((_, j) => (own.includes(j) ? own.indexOf(j) : null));
}

/**
 * The committee of the model file, as it was learned.
 * @param {Content} content
 * @returns {Committee}
 */
export function committeeOf({ model, attributes }) {
  const place = new Map(attributes.map((a, i) => [a.name, i]));
  const seen = Object.entries(model.seen ?? {}).map(([name, values]) => {
    const a = /** @type {number} */ (place.get(name));
    const codes = attributes[a].type === "nominal";
    return /** @type {[number, number[]]} */ ([
      a,
      codes ? values.map((/** @type {string} */ v) => attributes[a].values.indexOf(v)) : values,
    ]);
  });
  const isOfSets = model.labels.kind === "multi";
  return {
    rules: model.rules.map((/** @type {any} */ rule, /** @type {number} */ k) => ({
      id: k + 1,
      literals: rule.if.map((/** @type {any} */ entry) => literalOf(entry, attributes)),
      votes: rule.votes,
      name: rule.name ?? "",
      locked: rule.locked ?? false,
      on: true,
    })),
    default: model.default,
    certainty: isOfSets ? null : (model.probabilities ?? null),
    threshold: model.threshold ?? null,
    odds: isOfSets ? (model.probabilities ?? null) : null,
    weights: model.training.weights,
    figures: model.rules.map((/** @type {any} */ rule) => ({
      covers: rule.covers,
      weight: rule.weight ?? null,
      decides: rule.decides ?? null,
    })),
    examples: model.training.examples,
    error: model.training.error,
    ties: model.training.ties ?? null,
    weight: model.training.weight ?? null,
    hamming: model.training.hamming ?? null,
    seen: new Map(seen),
    isNew: false,
  };
}
