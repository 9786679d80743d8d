// One row, from the data or typed: the rules that hold, points, probabilities, the nearest change.

import { choice, h, refill } from "./dom.js";
import { numberField } from "./fields.js";
import { distribution, tieScores } from "./decision.js";
import { pointsOf } from "./fitting.js";
import { conditions } from "./literals.js";
import { colour, holdsOnRow, labelName, signed } from "./rules.js";
import { counted, cutText, listed, shown, valueText } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./measures.js").Decision} Decision */

/**
 * The values of a row: numbers, codes of labels, NaN where they are missing.
 * @param {import("./types.js").Rows} rows
 * @param {number} i
 */
export const valuesOf = (rows, i) =>
  rows.columns.map(({ codes, values }) => (codes[i] < values.length ? values[codes[i]] : NaN));

/**
 * Take a row of the rows in view.
 * @param {Store} store
 * @param {number} i
 */
export function takeRow(store, i) {
  const { rows } = store.shownRows;
  store.set({ row: valuesOf(rows, i), rowNumber: rows.numbers[i], tab: "whatif" });
}

/** Have a row for the what-if: by default the first.  @param {Store} store */
export function ensureRow(store) {
  if (store.row) return;
  const { rows } = store.shownRows;
  store.row = valuesOf(rows, 0);
  store.rowNumber = rows.numbers[0];
}

/**
 * A decision in words.
 * @param {Store} store
 * @param {Decision} decision
 */
export function decisionText(store, decision) {
  if (typeof decision === "number") return labelName(store, decision);
  const held = decision.map((h2, j) => (h2 ? labelName(store, j) : "")).filter(Boolean);
  return held.length ? listed(held) : "no label";
}

/**
 * @param {Store} store
 * @param {HTMLElement} place
 */
export function whatIfView(store, place) {
  const { rows } = store.shownRows;
  const row = /** @type {number[]} */ (store.row);
  const origin = rows.numbers.indexOf(store.rowNumber);
  const own = origin >= 0 ? valuesOf(rows, origin) : null;
  const literals = store.rules.flatMap((rule) => rule.literals);
  const used = [...new Set(literals.map((l) => l.attribute))].sort((a, b) => a - b);
  const set = (/** @type {number} */ a, /** @type {number} */ value) =>
    store.set({ row: row.map((v, i) => (i === a ? value : v)) });

  refill(
    place,
    h(
      "div",
      { class: "bar-of-tools" },
      h("h2", {}, "What if"),
      h(
        "button",
        {
          class: "tool",
          key: "previous row",
          "aria-label": "Previous row",
          onclick: () => takeRow(store, Math.max(origin - 1, 0)),
        },
        "‹",
      ),
      h(
        "label",
        { class: "choice row-number" },
        h("span", {}, "row"),
        h("input", {
          type: "text",
          inputmode: "numeric",
          key: "row number",
          id: "row-number",
          value: store.rowNumber,
          "aria-label": "Number of the row",
          onchange: (/** @type {any} */ event) => {
            const i = rows.numbers.indexOf(Number(event.target.value));
            event.target.setAttribute("aria-invalid", String(i < 0));
            if (i >= 0) takeRow(store, i);
          },
        }),
      ),
      h(
        "button",
        {
          class: "tool",
          key: "next row",
          "aria-label": "Next row",
          onclick: () => takeRow(store, Math.min(origin + 1, rows.n - 1)),
        },
        "›",
      ),
      own &&
        own.some((v, a) => !Object.is(v, row[a])) &&
        h(
          "button",
          { class: "tool", key: "as it was", onclick: () => takeRow(store, origin) },
          "As it was",
        ),
    ),
    outcomeOfRow(store, row, origin),
    h(
      "div",
      { class: "inputs" },
      used.map((a) => input(store, a, row[a], own ? own[a] : NaN, (value) => set(a, value))),
    ),
    used.length === 0 && h("p", { class: "quiet" }, "No rule tests an attribute."),
    changesOfRow(store, row),
  );
}

/** @param {Store} store  @param {number[]} row  @param {number} origin */
function outcomeOfRow(store, row, origin) {
  const { content, now } = store;
  const { rows } = store.shownRows;
  const firing = now.rules.filter((rule) => holdsOnRow(store, rule, row));
  const votes = content.labels.map((_, j) => firing.reduce((sum, rule) => sum + rule.votes[j], 0));
  const points = content.labels.map((_, j) =>
    firing.reduce((sum, rule) => sum + pointsOf(rule.votes, now.weights, content.areSets)[j], 0),
  );
  const { decision, chances } = store.deciding;
  const decided = decision(votes);
  const probabilities = chances(votes);
  const scores = tieScores(now.default, distribution(now.weights));
  const order = content.labels
    .map((_, j) => j)
    .sort((a, b) => votes[b] - votes[a] || scores[b] - scores[a] || a - b);
  const most = Math.max(...points.map(Math.abs), 1);
  const holds = (/** @type {number} */ j) =>
    typeof decided === "number" ? decided === j : decided[j];
  const truth = origin < 0 ? "" : truthOfRow(store, rows, origin);
  const best = Math.max(...votes);
  const isTie = !content.areSets && votes.filter((v) => v === best).length > 1;
  return h(
    "div",
    { class: "decision", role: "status" },
    h(
      "p",
      { class: "verdict" },
      h("strong", {}, decisionText(store, decided)),
      truth && h("span", { class: "quiet" }, ` ${truth}`),
    ),
    h(
      "p",
      { class: "quiet" },
      firing.length
        ? `${counted(firing.length, "rule")} hold${firing.length === 1 ? "s" : ""}: ${listed(firing.map((rule) => String(store.numberOf(rule.id))))}.`
        : "No rule holds.",
      isTie ? " The order of ties decides." : "",
    ),
    h(
      "table",
      { class: "points-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, content.areSets ? "label" : "class"),
          h("th", { scope: "col" }, content.areSets ? "votes" : "points"),
          h("th", { scope: "col" }, "probability"),
        ),
      ),
      h(
        "tbody",
        {},
        order.slice(0, 12).map((j) =>
          h(
            "tr",
            { class: holds(j) ? "winner" : "" },
            h(
              "th",
              { scope: "row" },
              h("span", { class: "dot", vars: { own: colour(store, j) } }),
              labelName(store, j),
            ),
            h(
              "td",
              {},
              h("span", {
                class: `meter ${points[j] < 0 ? "below" : ""}`,
                vars: { part: Math.abs(points[j]) / most, own: colour(store, j) },
              }),
              signed(points[j]),
            ),
            h("td", { title: String(probabilities[j]) }, probabilities[j].toFixed(3)),
          ),
        ),
      ),
    ),
    order.length > 12 && h("p", { class: "quiet" }, `and ${order.length - 12} more`),
  );
}

/** @param {Store} store  @param {import("./types.js").Rows} rows  @param {number} i */
function truthOfRow(store, rows, i) {
  if (!rows.known[i]) return "";
  const c = store.content.labels.length;
  const truth = store.content.areSets
    ? Array.from(rows.Y.subarray(i * c, i * c + c), (v) => v > 0)
    : rows.classes[i];
  return `in the data: ${decisionText(store, truth)}`;
}

/**
 * @param {Store} store
 * @param {number} a
 * @param {number} value
 * @param {number} was
 * @param {(value: number) => void} take
 */
function input(store, a, value, was, take) {
  const attribute = store.content.attributes[a];
  const isOther = !Object.is(value, was);
  const note = isOther && h("span", { class: "quiet was" }, `was ${valueText(attribute, was)}`);
  if (attribute.type === "nominal") {
    const missing = "?";
    /** @type {[string, string][]} */
    const options = attribute.values.map((label, code) => [String(code), label || "(empty)"]);
    const own = Number.isNaN(value) ? missing : String(value);
    return h(
      "div",
      { class: "input" },
      choice(`what ${a}`, attribute.read, [...options, [missing, "missing"]], own, (v) =>
        take(v === missing ? NaN : Number(v)),
      ),
      note,
    );
  }
  const { values } = store.content.data.columns[a];
  const [low, high] = [values[0] ?? 0, values[values.length - 1] ?? 1];
  const slider = h("input", {
    type: "range",
    key: `slide ${a}`,
    min: 0,
    max: Math.max(values.length - 1, 0),
    step: 1,
    "aria-label": attribute.read,
    "aria-valuetext": Number.isNaN(value) ? "missing" : cutText(attribute, value),
    value: Number.isNaN(value) ? 0 : placeOf(values, value),
    oninput: (/** @type {any} */ event) => take(values[Number(event.target.value)]),
  });
  const isOutside = value < low || value > high;
  return h(
    "div",
    { class: "input" },
    h("span", { class: "name" }, attribute.read),
    slider,
    numberField(`what-${a}`, "", attribute, value, attribute.read, take),
    h(
      "button",
      {
        class: "tool",
        key: `missing ${a}`,
        "aria-pressed": String(Number.isNaN(value)),
        "aria-label": `${attribute.read} is missing`,
        title: "missing: no condition on it holds but 'is missing'",
        onclick: () => take(NaN),
      },
      "?",
    ),
    isOutside &&
      h(
        "span",
        { class: "warning" },
        `outside of ${cutText(attribute, low)} to ${cutText(attribute, high)}, which occur`,
      ),
    note,
  );
}

/** @param {Float64Array} values  @param {number} value */
function placeOf(values, value) {
  let k = 0;
  while (k < values.length - 1 && values[k] < value) k++;
  return k;
}

/** @param {Store} store  @param {number[]} row */
function changesOfRow(store, row) {
  const found = store.changesOf(row);
  return h(
    "section",
    { class: "nearest", "aria-labelledby": "nearest-head" },
    h("h3", { id: "nearest-head" }, "What would change the decision"),
    found.length === 0 &&
      h("p", { class: "quiet" }, "No change of up to three attributes to values that occurred."),
    h(
      "ul",
      { role: "list" },
      found.map((change, k) => {
        const words = change.steps.map((step) => stepText(store, step, row)).join(" and ");
        const after = row.map(
          (value, a) => change.steps.find((step) => step.attribute === a)?.after ?? value,
        );
        return h(
          "li",
          {},
          h("span", {}, `${words}: `, h("strong", {}, decisionText(store, change.decision))),
          h(
            "button",
            {
              class: "tool",
              key: `try ${k}`,
              "aria-label": `Try ${words}`,
              onclick: () => store.set({ row: after }),
            },
            "Try",
          ),
        );
      }),
    ),
  );
}

/** @param {Store} store  @param {import("./changes.js").Step} step  @param {number[]} row */
function stepText({ content }, { attribute, region, after }, row) {
  const declared = content.attributes[attribute];
  const now = valueText(declared, row[attribute]);
  if (declared.type === "nominal")
    return `${shown(declared.read)} = ${valueText(declared, after)} (now ${now})`;
  return `${conditions(region, content.attributes)[0]} (now ${now})`;
}
