// How the values of an attribute are spread over the classes, with the cut points of a rule in it
// to be dragged.

import { FLOOR, HEIGHT, WIDTH, binned, missing, weightsByValue } from "./bins.js";
import { errorsByCut } from "./cut_errors.js";
import { h, s } from "./dom.js";
import { numberField } from "./fields.js";
import { literal } from "./literals.js";
import { colour } from "./rules.js";
import { leastOf, mostOf } from "./sums.js";
import { cutText, number, shortestBetween } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Literal} Literal */
/** @typedef {import("./types.js").Rule} Rule */

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
  const errorsOf = new Map(cuts.map(({ op }) => [op, errorsByCut(store, rule, attribute, op)]));
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
          fill: store.content.areSets ? "var(--quiet)" : colour(store, j),
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
    cuts.map(({ op }) => errorsLine(op)),
    cuts.map(({ op, value }) => handle(op, value)),
  );

  /** The errors that there would be with the cut point elsewhere.  @param {string} op */
  function errorsLine(op) {
    const errors = errorsOf.get(op);
    if (!errors || errors.length < 2) return null;
    const [few, many] = [leastOf(errors), mostOf(errors)];
    const y = (/** @type {number} */ n) =>
      FLOOR - 10 - ((n - few) / (many - few || 1)) * (FLOOR - 24);
    let path = `M${drawn.x(values[0]).toFixed(1)} ${y(errors[0]).toFixed(1)}`;
    for (let k = 1; k < errors.length; k++) {
      path += `H${drawn.x(values[k]).toFixed(1)}V${y(errors[k]).toFixed(1)}`;
    }
    return s("path", { d: path, class: "errors" });
  }

  /** What the line says, in words. */
  function errorsTold() {
    return cuts.map(({ op, value }) => {
      const errors = errorsOf.get(op);
      if (!errors || errors.length < 2) return null;
      const fewest = leastOf(errors);
      const best = errors.indexOf(fewest);
      const now = errors[values.filter((at) => at <= value).length - 1];
      const at = snapped(store, attribute, values[best]);
      const words = `${op === ">" ? "above" : "at most"} ${cutText(declared, at)}`;
      const told =
        now === fewest
          ? `this cut has the fewest, ${number(fewest)}`
          : `the fewest, ${number(fewest)}, with ${words}`;
      return h(
        "p",
        { class: "quiet" },
        `The line shows the errors with the cut elsewhere; ${told}.`,
      );
    });
  }

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
    ...errorsTold(),
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
      return h(
        "button",
        {
          class: "tool",
          key: id,
          "aria-label": `+ ${words}: another bound of ${declared.read}`,
          onclick: () =>
            store.changeRule(rule.id, {
              literals: [...rule.literals, literal(attribute, op, start)],
            }),
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
