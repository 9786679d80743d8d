// How the values of an attribute are spread over the classes, with the cut points of a rule in it
// to be dragged, or its labels to be chosen.

import { h, s } from "./dom.js";
import { numberField } from "./fields.js";
import { colour, labelName } from "./rules.js";
import { counted, cutText, number, shortestBetween } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Literal} Literal */
/** @typedef {import("./types.js").Rule} Rule */

const WIDTH = 520;
const HEIGHT = 132;
const FLOOR = HEIGHT - 24;
const MOST_BINS = 40;

/**
 * Weight of the rows of each class with each value of an attribute.
 * @param {Store} store
 * @param {number} attribute
 */
function weightsByValue(store, attribute) {
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
function binned(values, sums) {
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

/**
 * A cut point moved to the shortest number that parts the rows as a place between values does.
 * @param {Store} store
 * @param {number} attribute
 * @param {number} near
 */
export function snapped(store, attribute, near) {
  const { values } = store.content.data.columns[attribute];
  let k = 0;
  for (let high = values.length; k < high;) {
    const middle = (k + high) >> 1;
    if (values[middle] <= near) k = middle + 1;
    else high = middle;
  }
  if (k === 0) return values[0] ?? near;
  if (k >= values.length) return values[values.length - 1];
  if (store.content.attributes[attribute].type === "date") return values[k - 1];
  return shortestBetween(
    values[k - 1],
    values[k],
    Math.min(Math.max(near, values[k - 1]), values[k]),
  );
}

/**
 * The cut point so many values further.
 * @param {Store} store
 * @param {number} attribute
 * @param {number} from
 * @param {number} steps
 */
function stepped(store, attribute, from, steps) {
  const { values } = store.content.data.columns[attribute];
  const below = Array.from(values).filter((value) => value <= from).length;
  const k = Math.min(Math.max(below + steps, 1), values.length);
  if (k === values.length) return values[k - 1];
  if (store.content.attributes[attribute].type === "date") return values[k - 1];
  return shortestBetween(values[k - 1], values[k], (values[k - 1] + values[k]) / 2);
}

/**
 * @param {Store} store
 * @param {Rule} rule
 * @param {Literal[]} own literals of one attribute of numbers
 */
export function numbersView(store, rule, own) {
  const { attribute } = own[0];
  const declared = store.content.attributes[attribute];
  const { values, sums } = weightsByValue(store, attribute);
  const drawn = binned(values, sums);
  const cuts = [">", "<="].flatMap((op) => {
    const held = own.filter((l) => l.op === op).map((l) => l.value);
    return held.length ? [{ op, value: op === ">" ? Math.max(...held) : Math.min(...held) }] : [];
  });
  const above = cuts.find((cut) => cut.op === ">");
  const below = cuts.find((cut) => cut.op === "<=");

  /** Another cut point in place of all of a kind.  @param {string} op  @param {number} value  @param {boolean} [isUnderWay] */
  function move(op, value, isUnderWay = false) {
    if (Number.isNaN(value)) return;
    let isFirst = true;
    const literals = rule.literals.flatMap((l) => {
      if (l.attribute !== attribute || l.op !== op) return [l];
      if (!isFirst) return [];
      isFirst = false;
      return [{ ...l, value }];
    });
    store.changeRule(rule.id, { literals }, isUnderWay);
  }

  const most = Math.max(...drawn.bins.map((bin) => bin.sums.reduce((a, b) => a + b, 0)), 1e-9);
  const bars = drawn.bins.flatMap(({ from, to, sums: of }) => {
    let top = FLOOR;
    return [...of.keys()].flatMap((j) => {
      const height = (of[j] / most) * (FLOOR - 8);
      if (!height) return [];
      top -= height;
      return [
        s("rect", {
          x: from.toFixed(1),
          width: Math.max(to - from, 1).toFixed(1),
          y: top.toFixed(1),
          height: height.toFixed(1),
          fill: store.content.areSets ? "var(--quiet)" : colour(j),
        }),
      ];
    });
  });
  const left = above ? drawn.x(above.value) : 8;
  const right = below ? drawn.x(below.value) : WIDTH - 8;
  const plot = s(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "plot",
      role: "group",
      "aria-label": `Distribution of ${declared.read}`,
    },
    s("rect", {
      x: left,
      y: 4,
      width: Math.max(right - left, 0),
      height: FLOOR - 4,
      class: "inside",
    }),
    bars,
    s("line", { x1: 8, x2: WIDTH - 8, y1: FLOOR, y2: FLOOR, class: "axis" }),
    s("text", { x: 8, y: HEIGHT - 8, class: "tick" }, cutText(declared, drawn.low)),
    s("text", { x: WIDTH - 8, y: HEIGHT - 8, class: "tick end" }, cutText(declared, drawn.high)),
    cuts.map(({ op, value }) => handle(op, value)),
  );

  /** @param {string} op  @param {number} value */
  function handle(op, value) {
    const x = drawn.x(value).toFixed(1);
    const text = `${op === ">" ? "above" : "at most"} ${cutText(declared, value)}`;
    return s(
      "g",
      {
        class: "cut",
        transform: `translate(${x} 0)`,
        tabindex: 0,
        role: "slider",
        key: `cut ${attribute} ${op}`,
        "aria-label": `Cut point of ${declared.read}`,
        "aria-valuemin": drawn.low,
        "aria-valuemax": drawn.high,
        "aria-valuenow": value,
        "aria-valuetext": text,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          /** @type {Record<string, number>} */
          const steps = {
            ArrowLeft: -1,
            ArrowDown: -1,
            ArrowRight: 1,
            ArrowUp: 1,
            PageDown: -10,
            PageUp: 10,
            Home: -Infinity,
            End: Infinity,
          };
          if (!(event.key in steps)) return;
          event.preventDefault();
          move(op, stepped(store, attribute, value, steps[event.key]));
        },
        onpointerdown: (/** @type {PointerEvent} */ event) => drag(event, op),
      },
      s("rect", { x: -12, y: 0, width: 24, height: FLOOR + 8, class: "grip" }),
      s("line", { x1: 0, x2: 0, y1: 2, y2: FLOOR + 4, class: "line" }),
      s("path", {
        d: op === ">" ? "M0 2 h10 l-4 5 l4 5 h-10 z" : "M0 2 h-10 l4 5 l-4 5 h10 z",
        class: "flag",
      }),
      s("circle", { cx: 0, cy: FLOOR, r: 5.5, class: "knob" }),
    );
  }

  /** @param {PointerEvent} event  @param {string} op */
  function drag(event, op) {
    event.preventDefault();
    const svg = /** @type {Element} */ (
      /** @type {Element} */ (event.currentTarget).closest("svg")
    );
    const box = svg.getBoundingClientRect();
    /** @type {HTMLElement} */ (/** @type {unknown} */ (event.currentTarget)).focus();
    let frame = 0;
    const moved = (/** @type {PointerEvent} */ e) => {
      const at = ((e.clientX - box.left) / box.width) * WIDTH;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        move(op, snapped(store, attribute, drawn.valueAt(at)), true),
      );
    };
    const ended = (/** @type {PointerEvent} */ e) => {
      cancelAnimationFrame(frame);
      window.removeEventListener("pointermove", moved);
      window.removeEventListener("pointerup", ended);
      window.removeEventListener("pointercancel", ended);
      const at = ((e.clientX - box.left) / box.width) * WIDTH;
      if (e.clientX !== event.clientX) move(op, snapped(store, attribute, drawn.valueAt(at)));
    };
    window.addEventListener("pointermove", moved);
    window.addEventListener("pointerup", ended);
    window.addEventListener("pointercancel", ended);
  }

  return [
    plot,
    h(
      "div",
      { class: "ends" },
      end(">", "above", above?.value, below?.value),
      end("<=", "at most", below?.value, above?.value),
      missing(sums[values.length]),
    ),
  ];

  /** @param {string} op  @param {string} words  @param {number | undefined} value  @param {number | undefined} other */
  function end(op, words, value, other) {
    const id = `end-${attribute}-${op === ">" ? "above" : "below"}`;
    if (value === undefined) {
      const at = op === ">" ? drawn.low : drawn.high;
      const start = snapped(store, attribute, ((other ?? at) + at) / 2);
      const literal = { attribute, op, value: start };
      return h(
        "button",
        {
          class: "tool",
          key: id,
          "aria-label": `+ ${words}: another bound of ${declared.read}`,
          onclick: () => store.changeRule(rule.id, { literals: [...rule.literals, literal] }),
        },
        `+ ${words}`,
      );
    }
    return numberField(
      id,
      words,
      declared,
      value,
      `Cut point: ${declared.read} ${words}`,
      (typed) => move(op, typed),
    );
  }
}

/** How many rows lack the value.  @param {Float64Array} sums */
function missing(sums) {
  const weight = sums.reduce((a, b) => a + b, 0);
  return weight > 0 && h("span", { class: "quiet" }, `${counted(weight, "row")} without a value`);
}

/**
 * @param {Store} store
 * @param {Rule} rule
 * @param {Literal[]} own literals of one nominal attribute
 */
export function labelsView(store, rule, own) {
  const { attribute } = own[0];
  const declared = store.content.attributes[attribute];
  const { values, sums } = weightsByValue(store, attribute);
  const isEqual = own.some((l) => l.op === "=");
  const chosen = new Set(own.filter((l) => l.op === (isEqual ? "=" : "!=")).map((l) => l.value));
  const most = Math.max(...sums.map((of) => of.reduce((a, b) => a + b, 0)), 1e-9);

  /** @param {Literal[]} literals in place of those of the attribute */
  function become(literals) {
    const place = rule.literals.findIndex((l) => l.attribute === attribute);
    const rest = rule.literals.filter((l) => l.attribute !== attribute);
    const before = rule.literals.slice(0, place).filter((l) => l.attribute !== attribute).length;
    store.changeRule(rule.id, {
      literals: [...rest.slice(0, before), ...literals, ...rest.slice(before)],
    });
  }
  const literalsOf = (/** @type {string} */ op, /** @type {number[]} */ codes) =>
    codes.map((value) => ({ attribute, op, value }));

  /** @param {number} code */
  function toggled(code) {
    if (isEqual) return become(literalsOf("=", [code]));
    const codes = chosen.has(code) ? [...chosen].filter((v) => v !== code) : [...chosen, code];
    if (codes.length)
      become(
        literalsOf(
          "!=",
          codes.sort((a, b) => a - b),
        ),
      );
    else store.notify();
  }

  return [
    h("div", { class: "mode" }, modeButton("=", "is"), modeButton("!=", "is not")),
    h(
      "ul",
      { class: "values", role: "list", "data-scroll": `values ${attribute}` },
      Array.from(values, (code) => {
        const of = sums[code];
        const total = of.reduce((a, b) => a + b, 0);
        const holds = isEqual ? chosen.has(code) : !chosen.has(code);
        return h(
          "li",
          { class: holds ? "inside" : "" },
          h(
            "label",
            {},
            h("input", {
              type: isEqual ? "radio" : "checkbox",
              name: `value-${attribute}`,
              checked: chosen.has(code),
              key: `value ${attribute} ${code}`,
              "aria-label": `${declared.read} ${isEqual ? "is" : "is not"} ${declared.values[code]}`,
              onchange: () => toggled(code),
            }),
            h("span", { class: "name" }, declared.values[code] || "(empty)"),
            h(
              "span",
              { class: "stack", "aria-hidden": "true" },
              Array.from(
                of,
                (weight, j) =>
                  weight > 0 &&
                  h("span", {
                    vars: {
                      part: weight / most,
                      own: store.content.areSets ? "var(--quiet)" : colour(j),
                    },
                    title: store.content.areSets ? "" : `${labelName(store, j)}: ${number(weight)}`,
                  }),
              ),
            ),
            h("span", { class: "count" }, number(total)),
          ),
        );
      }),
    ),
    missing(sums[values.length]),
  ];

  /** @param {string} op  @param {string} text */
  function modeButton(op, text) {
    const isNow = isEqual === (op === "=");
    return h(
      "button",
      {
        class: "tool",
        key: `mode ${attribute} ${op}`,
        "aria-pressed": String(isNow),
        onclick: () => isNow || become(literalsOf(op, [Math.min(...chosen)])),
      },
      text,
    );
  }
}

/** What the colours mean.  @param {Store} store */
export function legend(store) {
  if (store.content.areSets) return null;
  const { labels } = store.content;
  const shownLabels = labels.slice(0, 7);
  return h(
    "ul",
    { class: "legend", role: "list", "aria-label": "Colours of the classes" },
    shownLabels.map((_, j) =>
      h("li", {}, h("span", { class: "dot", vars: { own: colour(j) } }), labelName(store, j)),
    ),
    labels.length > 7 &&
      h("li", {}, h("span", { class: "dot", vars: { own: colour(7) } }), "others"),
  );
}
