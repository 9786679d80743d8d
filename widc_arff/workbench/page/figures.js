// Error, size, calibration and confusion, with the difference to the committee that was learned.

import { h, refill, s } from "./dom.js";
import { nLiterals, nVotes } from "./fitting.js";
import { colour, labelName } from "./rules.js";
import { ALL_ROWS } from "./store.js";
import { mostOf } from "./sums.js";
import { counted, number, percent } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./measures.js").Outcome} Outcome */

/** @param {number} value  @param {boolean} areSets */
const errorText = (value, areSets) => (areSets ? value.toFixed(4) : percent(value));

/**
 * Figures that stay in sight.
 * @param {Store} store
 * @param {HTMLElement} place
 */
export function headlineView(store, place) {
  const { content, now, learned } = store;
  const sizes = (/** @type {import("./types.js").Rule[]} */ rules) => ({
    rules: rules.length,
    literals: nLiterals(rules),
    votes: nVotes(rules, now.weights, content.areSets),
  });
  const [is, was] = [sizes(now.rules), sizes(learned.rules)];
  const entries = [
    errorEntry(store, store.outcome, store.learnedOutcome, content.data.name, "data"),
  ];
  if (store.outcomeOfTest && store.learnedOutcomeOfTest) {
    entries.unshift(
      errorEntry(
        store,
        store.outcomeOfTest,
        store.learnedOutcomeOfTest,
        content.test?.name ?? "",
        "test",
      ),
    );
  }
  entries.push(
    entry(
      "rules",
      String(is.rules),
      is.rules === was.rules ? "" : `learned: ${was.rules}`,
      "",
      "rules",
    ),
    entry(
      "conditions",
      String(is.literals),
      is.literals === was.literals ? "" : `learned: ${was.literals}`,
      "",
      "conditions",
    ),
  );
  const title = `calibration error${content.test ? ` on ${content.test.name}` : ""}`;
  const [after, before] = [main(store, false).calibration, main(store, true).calibration];
  const note = percent(after) === percent(before) ? "" : `learned: ${percent(before)}`;
  entries.push(entry(title, percent(after), note, trend(after, before), "calibration"));
  refill(place, entries);
}

/** The outcome that counts most: that on the test rows where there are some.  @param {Store} store  @param {boolean} learned */
function main(store, learned) {
  const test = learned ? store.learnedOutcomeOfTest : store.outcomeOfTest;
  return test ?? (learned ? store.learnedOutcome : store.outcome);
}

/** @param {number} is  @param {number} was */
const trend = (is, was) => (is < was - 1e-12 ? "better" : is > was + 1e-12 ? "worse" : "");

/** @param {Store} store  @param {Outcome} is  @param {Outcome} was  @param {string} name  @param {string} id */
function errorEntry({ content: { areSets } }, is, was, name, id) {
  const more = areSets
    ? `${number(is.wrong)} of ${counted(is.weight, "set")} not exact`
    : `${number(is.wrong)} of ${number(is.weight)}`;
  const title = `${areSets ? "ranking loss" : "error"} on ${name}`;
  const difference = is.error === was.error ? "" : `; learned: ${errorText(was.error, areSets)}`;
  return entry(
    title,
    errorText(is.error, areSets),
    more + difference,
    trend(is.error, was.error),
    id,
  );
}

/** @param {string} name  @param {string} value  @param {string} note  @param {string} kind  @param {string} id */
function entry(name, value, note, kind, id) {
  const mark = kind === "better" ? "▼ " : kind === "worse" ? "▲ " : "";
  return h(
    "div",
    { class: kind, "data-figure": id },
    h("dt", {}, name),
    h(
      "dd",
      {},
      h("span", { class: "value" }, mark && h("span", { "aria-hidden": "true" }, mark), value),
      h("small", {}, note),
    ),
  );
}

/**
 * @param {Store} store
 * @param {HTMLElement} place
 */
export function figuresView(store, place) {
  const { content } = store;
  /** @type {[string, Outcome, Outcome][]} */
  const on = [[content.data.name, store.outcome, store.learnedOutcome]];
  if (store.outcomeOfTest && store.learnedOutcomeOfTest && content.test)
    on.unshift([content.test.name, store.outcomeOfTest, store.learnedOutcomeOfTest]);
  refill(
    place,
    h("h2", {}, "Figures"),
    on.map(([name, is, was]) =>
      h(
        "section",
        { "aria-label": `Figures on ${name}` },
        h("h3", {}, `On ${name}`),
        summary(store, is, was),
        content.areSets ? byLabel(store, is, was, name) : confusion(store, is, was, name),
        calibration(is, content.areSets),
      ),
    ),
  );
}

/** @param {Store} store  @param {Outcome} is  @param {Outcome} was */
function summary({ content: { areSets } }, is, was) {
  /** @type {[string, string, string, string][]} */
  const rows = [
    [
      areSets ? "ranking loss" : "error",
      errorText(was.error, areSets),
      errorText(is.error, areSets),
      trend(is.error, was.error),
    ],
  ];
  if (is.cost !== null && was.cost !== null)
    rows.push(["cost per row", number(was.cost), number(is.cost), trend(is.cost, was.cost)]);
  if (is.ofSets && was.ofSets) {
    rows.push([
      "Hamming loss",
      was.ofSets.hamming.toFixed(4),
      is.ofSets.hamming.toFixed(4),
      trend(is.ofSets.hamming, was.ofSets.hamming),
    ]);
    rows.push([
      "exact sets",
      percent(was.ofSets.exact),
      percent(is.ofSets.exact),
      trend(was.ofSets.exact, is.ofSets.exact),
    ]);
  }
  rows.push([
    "calibration error",
    percent(was.calibration),
    percent(is.calibration),
    trend(is.calibration, was.calibration),
  ]);
  return h(
    "table",
    { class: "plain" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["", "learned", "now", ""].map((t) => h(t ? "th" : "td", t ? { scope: "col" } : {}, t)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([name, before, now, kind]) =>
        h(
          "tr",
          { class: kind },
          h("th", { scope: "row" }, name),
          h("td", {}, before),
          h("td", {}, now),
          h(
            "td",
            { class: "trend" },
            kind === "better" ? "▼ better" : kind === "worse" ? "▲ worse" : "",
          ),
        ),
      ),
    ),
  );
}

/** @param {Store} store  @param {Outcome} is  @param {Outcome} was  @param {string} name  of the rows */
function confusion(store, is, was, name) {
  const isTest = is === store.outcomeOfTest;
  const { content } = store;
  const most = Math.max(mostOf(is.confusion.flat()), 1e-9);
  const cell = (/** @type {number} */ j, /** @type {number} */ k) => {
    const weight = is.confusion[j][k];
    const change = weight - was.confusion[j][k];
    const told =
      Math.abs(change) > 1e-9
        ? `${change > 0 ? "+" : "−"}${number(Math.abs(Math.round(change * 1e6) / 1e6))}`
        : "";
    return h(
      "td",
      { class: !weight ? "nil" : j === k ? "hit" : "miss", vars: { h: weight / most } },
      h(
        "button",
        {
          key: `cell ${isTest} ${j} ${k}`,
          onclick: () =>
            store.set({ onTest: isTest, filter: { ...ALL_ROWS, actual: j, decided: k } }),
        },
        number(weight),
        told && h("small", {}, told),
        h(
          "span",
          { class: "unseen" },
          ` rows of ${labelName(store, j)} decided as ${labelName(store, k)}`,
        ),
      ),
    );
  };
  return h(
    "div",
    {
      class: "scroll",
      tabindex: 0,
      role: "region",
      "aria-label": `Confusion on ${name}`,
      key: `confusion ${isTest}`,
    },
    h(
      "table",
      { class: "confusion" },
      h("caption", {}, "True class in rows, decided class in columns"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          content.labels.map((_, k) =>
            h(
              "th",
              { scope: "col" },
              h("span", { class: "dot", vars: { own: colour(store, k) } }),
              labelName(store, k),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        content.labels.map((_, j) =>
          h(
            "tr",
            {},
            h(
              "th",
              { scope: "row" },
              h("span", { class: "dot", vars: { own: colour(store, j) } }),
              labelName(store, j),
            ),
            content.labels.map((__, k) => cell(j, k)),
          ),
        ),
      ),
    ),
  );
}

/** @param {Store} store  @param {Outcome} is  @param {Outcome} was  @param {string} name  of the rows */
function byLabel(store, is, was, name) {
  const heads = ["label", "right", "missed", "too much"];
  return h(
    "div",
    {
      class: "scroll",
      tabindex: 0,
      role: "region",
      "aria-label": `Labels on ${name}`,
      key: `labels ${name}`,
    },
    h(
      "table",
      { class: "plain" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((t) => h("th", { scope: "col" }, t)),
        ),
      ),
      h(
        "tbody",
        {},
        is.confusion.map((row, j) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, labelName(store, j)),
            row.map((weight, k) => {
              const change = Math.round((weight - was.confusion[j][k]) * 1e6) / 1e6;
              return h(
                "td",
                {},
                number(weight),
                change
                  ? h("small", {}, ` ${change > 0 ? "+" : "−"}${number(Math.abs(change))}`)
                  : null,
              );
            }),
          ),
        ),
      ),
    ),
  );
}

/** @param {Outcome} is  @param {boolean} areSets */
function calibration({ bins, weight }, areSets) {
  const size = 190;
  const at = (/** @type {number} */ p) => 14 + p * (size - 28);
  const most = Math.max(...bins.map((bin) => bin.weight), 1e-9);
  const what = areSets ? "labels present" : "right";
  return h(
    "figure",
    { class: "calibration" },
    s(
      "svg",
      {
        viewBox: `0 0 ${size} ${size}`,
        role: "img",
        "aria-label": `Calibration: ${bins.map((b) => `probability ${b.predicted.toFixed(2)}, ${what} ${b.observed.toFixed(2)}`).join("; ")}`,
      },
      s("rect", {
        x: at(0),
        y: at(0),
        width: at(1) - at(0),
        height: at(1) - at(0),
        class: "frame",
      }),
      s("line", { x1: at(0), y1: at(1), x2: at(1), y2: at(0), class: "diagonal" }),
      bins.map((bin) =>
        s("circle", {
          cx: at(bin.predicted).toFixed(1),
          cy: at(1 - bin.observed).toFixed(1),
          r: (2.5 + 5 * Math.sqrt(bin.weight / most)).toFixed(1),
          class: "point",
        }),
      ),
    ),
    h(
      "figcaption",
      {},
      `Calibration: probability (to the right) against the share ${areSets ? "of labels present" : "of right decisions"} (upward). ${weight ? "On the diagonal probabilities are what they say." : ""}`,
    ),
  );
}
