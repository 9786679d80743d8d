// The rows, as many as there are: only those in sight are in the document.

import { choice, h, refill } from "./dom.js";
import { blameOf } from "./measures.js";
import { colour, labelName } from "./rules.js";
import { ALL_ROWS } from "./store.js";
import { decisionText, takeRow } from "./whatif.js";
import { counted, number, valueText } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */

const ROW_HEIGHT = 30;
const MORE = 8;
const MOST_COLUMNS = 60;
const MOST_BLAMED = 5;

/** Rows in view that a filter lets through.  @param {Store} store */
export function filteredRows(store) {
  const { rows, outcome } = store.shownRows;
  const { actual, decided, outcome: kind, rule } = store.filter;
  const { content } = store;
  const c = content.labels.length;
  const k = rule ? store.votingPlace(rule) : -1;
  const holds = k < 0 ? null : outcome.patterns.holds[k];
  const votes = k < 0 ? [] : store.now.rules[k].votes;
  const found = [];
  for (let i = 0; i < rows.n; i++) {
    const p = outcome.patterns.of[i];
    const own = outcome.decided[p];
    if (rule && (!holds || !holds[p])) continue;
    if (actual >= 0 && (content.areSets ? !rows.Y[i * c + actual] : rows.classes[i] !== actual))
      continue;
    if (decided >= 0 && (typeof own === "number" ? own !== decided : !own[decided])) continue;
    if (kind === "wrong" && !outcome.isWrong[i]) continue;
    if (kind === "right" && (outcome.isWrong[i] || !rows.known[i])) continue;
    if (kind === "blame") {
      if (!outcome.isWrong[i]) continue;
      if (typeof own === "number" && votes.length && !(votes[own] > votes[rows.classes[i]]))
        continue;
    }
    found.push(i);
  }
  return found;
}

/**
 * @param {Store} store
 * @param {HTMLElement} place
 */
export function rowsView(store, place) {
  const { content } = store;
  const { rows, outcome } = store.shownRows;
  const found = filteredRows(store);
  const set = (/** @type {any} */ values) => store.set({ filter: { ...store.filter, ...values } });
  /** @type {[string, string][]} */
  const classes = [
    ["-1", "any"],
    ...content.labels.map(
      (_, j) => /** @type {[string, string]} */ ([String(j), labelName(store, j)]),
    ),
  ];
  /** @type {[string, string][]} */
  const rules = [
    ["0", "any"],
    ...store.rules.map(
      (rule) =>
        /** @type {[string, string]} */ ([String(rule.id), `rule ${store.numberOf(rule.id)}`]),
    ),
  ];
  const isFiltered = JSON.stringify(store.filter) !== JSON.stringify(ALL_ROWS);
  const box = h("div", {
    class: "window",
    tabindex: 0,
    role: "region",
    "aria-label": "Rows of the data",
    key: "rows",
    "data-scroll": "rows",
  });

  refill(
    place,
    h(
      "div",
      { class: "bar-of-tools filters" },
      h("h2", { id: "rows-head" }, "Rows"),
      content.test &&
        choice(
          "which rows",
          "of",
          [
            ["data", content.data.name],
            ["test", content.test.name],
          ],
          store.onTest ? "test" : "data",
          (v) => store.set({ onTest: v === "test", row: null, rowNumber: -1 }),
        ),
      choice(
        "filter actual",
        content.areSets ? "has" : "class",
        classes,
        String(store.filter.actual),
        (v) => set({ actual: Number(v) }),
      ),
      choice("filter decided", "decided", classes, String(store.filter.decided), (v) =>
        set({ decided: Number(v) }),
      ),
      choice(
        "filter outcome",
        "outcome",
        [
          ["", "any"],
          ["right", "right"],
          ["wrong", "wrong"],
          ["blame", "rule to blame"],
        ],
        store.filter.outcome,
        (v) => set({ outcome: v }),
      ),
      choice("filter rule", "rule", rules, String(store.filter.rule), (v) =>
        set({ rule: Number(v) }),
      ),
      isFiltered &&
        h(
          "button",
          { class: "tool", key: "all rows", onclick: () => store.set({ filter: ALL_ROWS }) },
          "All rows",
        ),
      h(
        "p",
        { class: "quiet", role: "status", id: "row-count" },
        found.length === rows.n
          ? counted(rows.n, "row")
          : `${found.length} of ${counted(rows.n, "row")}`,
      ),
    ),
    blameView(store, found),
    box,
  );
  fill(store, box, found, outcome);
}

/** The rules to blame for the errors among some rows, the most first.  @param {Store} store  @param {number[]} found */
function blameView(store, found) {
  const { rows, outcome } = store.shownRows;
  const wrong = found.filter((i) => outcome.isWrong[i]);
  if (!wrong.length) return null;
  const { blame, all, none } = blameOf(store.content, store.now, outcome, rows, wrong);
  const order = [...blame.keys()].filter((k) => blame[k] > 0).sort((a, b) => blame[b] - blame[a]);
  return h(
    "p",
    { class: "blame" },
    `To blame for ${counted(all, "error")}: `,
    order.slice(0, MOST_BLAMED).map((k) => {
      const { id } = store.now.rules[k];
      return h(
        "button",
        {
          class: "tool",
          key: `blame ${id}`,
          onclick: () => store.set({ selected: id, tab: "rule" }),
        },
        `rule ${store.numberOf(id)}: ${number(blame[k])}`,
      );
    }),
    none > 0 && h("span", { class: "quiet" }, `no rule: ${number(none)}`),
  );
}

/**
 * @param {Store} store
 * @param {HTMLElement} box
 * @param {number[]} found
 * @param {import("./measures.js").Outcome} outcome
 */
function fill(store, box, found, outcome) {
  const { content } = store;
  const { rows } = store.shownRows;
  const used = new Set(store.rules.flatMap((rule) => rule.literals.map((l) => l.attribute)));
  const all = content.attributes.map((_, a) => a);
  const columns = [...all.filter((a) => used.has(a)), ...all.filter((a) => !used.has(a))].slice(
    0,
    MOST_COLUMNS,
  );
  const body = h("tbody", {});
  const heads = [
    "row",
    content.areSets ? "labels" : shortName(content.target),
    "decided",
    "probability",
    "rules",
  ];
  const table = h(
    "table",
    { class: "rows", "aria-rowcount": found.length + 1, "aria-labelledby": "rows-head" },
    h(
      "thead",
      {},
      h(
        "tr",
        { "aria-rowindex": 1 },
        heads.map((t) => h("th", { scope: "col" }, t)),
        columns.map((a) =>
          h("th", { scope: "col", class: used.has(a) ? "used" : "" }, content.attributes[a].read),
        ),
      ),
    ),
    body,
  );
  const deciding = store.deciding;
  const c = content.labels.length;
  /** @type {Map<number, {chance: string, rules: string}>} */
  const ofPattern = new Map();

  /** @param {number} p */
  function toldOf(p) {
    let told = ofPattern.get(p);
    if (!told) {
      const chances = deciding.chances(outcome.patterns.votes.subarray(p * c, p * c + c));
      const decided = outcome.decided[p];
      const firing = store.now.rules
        .filter((_, k) => outcome.patterns.holds[k][p])
        .map((rule) => store.numberOf(rule.id));
      told = {
        chance: typeof decided === "number" ? chances[decided].toFixed(3) : "",
        rules: firing.join(" ") || "none",
      };
      ofPattern.set(p, told);
    }
    return told;
  }

  /** @param {number} place */
  function line(place) {
    const i = found[place];
    const p = outcome.patterns.of[i];
    const told = toldOf(p);
    const truth = content.areSets
      ? Array.from(rows.Y.subarray(i * c, i * c + c), (v) => v > 0)
      : rows.classes[i];
    const isKnown = rows.known[i] > 0;
    const actual = isKnown ? decisionText(store, truth) : "?";
    const own = outcome.decided[p];
    const dot = (/** @type {import("./measures.js").Decision} */ d) =>
      typeof d === "number" &&
      d >= 0 &&
      h("span", { class: "dot", vars: { own: colour(store, d) } });
    return h(
      "tr",
      {
        "aria-rowindex": place + 2,
        class: outcome.isWrong[i] ? "wrong" : "",
        "data-row": rows.numbers[i],
      },
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          {
            class: "link",
            key: `row ${i}`,
            title: "What if in this row",
            "aria-label": `Row ${rows.numbers[i]}: what if`,
            onclick: () => takeRow(store, i),
          },
          rows.numbers[i],
        ),
      ),
      h("td", {}, isKnown && dot(truth), actual),
      h(
        "td",
        { class: "decided" },
        dot(own),
        decisionText(store, own),
        outcome.isWrong[i] ? h("span", { class: "mark warn" }, "wrong") : null,
      ),
      h("td", {}, told.chance),
      h("td", {}, told.rules),
      columns.map((a) => {
        const { codes, values } = rows.columns[a];
        return h(
          "td",
          { class: content.attributes[a].type === "nominal" ? "" : "number" },
          codes[i] < values.length ? valueText(content.attributes[a], values[codes[i]]) : "?",
        );
      }),
    );
  }

  let from = -1;
  /** @type {Map<number, HTMLElement>} lines in the document, which stay while they are in sight */
  let drawn = new Map();
  const draw = () => {
    const first = Math.max(Math.floor(box.scrollTop / ROW_HEIGHT) - MORE, 0);
    const n = Math.ceil((box.clientHeight || 420) / ROW_HEIGHT) + 2 * MORE;
    const start = Math.min(first, Math.max(found.length - n, 0));
    if (start === from) return;
    from = start;
    const stop = Math.min(start + n, found.length);
    const space = (/** @type {number} */ rowsOf) =>
      h(
        "tr",
        { class: "space", "aria-hidden": "true" },
        h("td", {
          colspan: heads.length + columns.length,
          vars: { height: `${rowsOf * ROW_HEIGHT}px` },
        }),
      );
    const lines = [];
    for (let place = start; place < stop; place++) lines.push(drawn.get(place) ?? line(place));
    drawn = new Map(lines.map((element, k) => [start + k, element]));
    refill(
      body,
      start > 0 && space(start),
      lines,
      stop < found.length && space(found.length - stop),
    );
  };
  box.append(table);
  box.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
  draw();
}

/** @param {string} name */
const shortName = (name) => (name.length > 24 ? `${name.slice(0, 23)}…` : name);
