// The rule that is selected: what it does, its conditions, its votes, all of it to be changed.

import { choice, h, refill } from "./dom.js";
import { numbersView } from "./distribution.js";
import { pointsOf } from "./fitting.js";
import { byAttribute, conditions, literalsOfState } from "./literals.js";
import { colour, factsOf, firstLiteral, labelName, signed, warningsOf } from "./rules.js";
import { ALL_ROWS } from "./store.js";
import { labelsView, legend } from "./value_lists.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Rule} Rule */

/**
 * @param {Store} store
 * @param {HTMLElement} place
 */
export function inspectorView(store, place) {
  const { rule } = store.selectedRule;
  if (!rule) {
    refill(place, h("p", { class: "quiet" }, "No rule is selected."));
    return;
  }
  const { content } = store;
  const n = store.numberOf(rule.id);
  const groups = byAttribute(rule.literals);
  refill(
    place,
    h(
      "div",
      { class: "bar-of-tools" },
      h("h2", {}, `Rule ${n}`),
      h(
        "button",
        {
          class: "tool",
          key: "lock",
          "aria-pressed": String(rule.locked),
          title: "update and train leave a locked rule as it is",
          onclick: () => store.changeRule(rule.id, { locked: !rule.locked }),
        },
        rule.locked ? "Locked" : "Lock",
      ),
      h(
        "button",
        {
          class: "tool",
          key: "copy",
          onclick: () => store.add({ ...rule, name: "", locked: false }),
        },
        "Copy",
      ),
      h("button", { class: "tool", key: "remove", onclick: () => store.remove(rule.id) }, "Remove"),
    ),
    h(
      "div",
      { class: "facts-of-rule" },
      factsOf(store, rule).map((fact) => h("p", {}, fact)),
    ),
    h(
      "div",
      { role: "status", class: "warnings" },
      warningsOf(store, rule).map((warning) => h("p", { class: "warning" }, warning)),
    ),
    h(
      "div",
      { class: "bar-of-tools small" },
      h(
        "button",
        {
          class: "tool",
          key: "rows of rule",
          onclick: () => store.set({ filter: { ...ALL_ROWS, rule: rule.id } }),
        },
        "Show its rows",
      ),
      h(
        "button",
        {
          class: "tool",
          key: "errors of rule",
          onclick: () => store.set({ filter: { ...ALL_ROWS, rule: rule.id, outcome: "wrong" } }),
        },
        "Show its errors",
      ),
    ),
    legend(store),
    groups.map((own) => {
      const { attribute } = own[0];
      const [words] = conditions(own, content.attributes);
      return h(
        "section",
        { class: "condition-card", "aria-label": `Condition ${words}` },
        h(
          "div",
          { class: "bar-of-tools" },
          h("h3", {}, words),
          groups.length > 1 &&
            h(
              "button",
              {
                class: "tool",
                key: `drop ${attribute}`,
                "aria-label": `Remove the condition ${words}`,
                onclick: () =>
                  store.changeRule(rule.id, {
                    literals: rule.literals.filter((l) => l.attribute !== attribute),
                  }),
              },
              "Remove",
            ),
        ),
        content.attributes[attribute].type === "nominal"
          ? labelsView(store, rule, own)
          : numbersView(store, rule, own),
      );
    }),
    adder(store, rule),
    votesView(store, rule),
    h(
      "label",
      { class: "choice name" },
      h("span", {}, "Name"),
      h("input", {
        type: "text",
        key: "name",
        value: rule.name,
        autocomplete: "off",
        placeholder: "what people call this rule",
        onchange: (/** @type {any} */ event) =>
          store.changeRule(rule.id, { name: event.target.value.trim() }),
      }),
    ),
  );
}

/** @param {Store} store  @param {Rule} rule */
function adder(store, rule) {
  const { content } = store;
  const used = new Set(rule.literals.map((l) => l.attribute));
  const free = [...content.attributes.keys()].filter((i) => !used.has(i));
  if (!free.length) return null;
  /** @type {[string, string, import("./types.js").Literal | null][]} */
  const options = [["", "choose an attribute", null]];
  for (const i of free) {
    const { read } = content.attributes[i];
    options.push([String(i), read, firstLiteral(content, i)]);
    for (const own of literalsOfState(content, i)) {
      options.push([`${i} ${own.op}`, `${read} is ${own.op}`, own]);
    }
  }
  return h(
    "div",
    { class: "adder" },
    choice(
      "add condition",
      "Add a condition on",
      options.map(([value, text]) => [value, text]),
      "",
      (value) => {
        const own = options.find((option) => option[0] === value)?.[2];
        if (own) store.changeRule(rule.id, { literals: [...rule.literals, own] });
      },
    ),
  );
}

/** @param {Store} store  @param {Rule} rule */
function votesView(store, rule) {
  const { content, now } = store;
  const points = pointsOf(rule.votes, now.weights, content.areSets);
  /** @type {[number, string, string][]} */
  const kinds = [
    [-1, "−1", "against"],
    [0, "0", "nothing"],
    [1, "+1", "for"],
  ];
  return h(
    "section",
    { class: "votes", "aria-labelledby": "votes-head" },
    h("h3", { id: "votes-head" }, "Votes"),
    h(
      "div",
      { class: "vote-list", "data-scroll": "votes" },
      content.labels.map((_, j) =>
        h(
          "fieldset",
          { class: "segmented vote" },
          h(
            "legend",
            {},
            h("span", { class: "dot", vars: { own: colour(store, j) } }),
            labelName(store, j),
          ),
          kinds.map(([vote, text, words]) =>
            h(
              "label",
              { title: words },
              h("input", {
                type: "radio",
                name: `vote-${j}`,
                value: vote,
                checked: rule.votes[j] === vote,
                key: `vote ${j} ${vote}`,
                "aria-label": `${labelName(store, j)}: ${words}`,
                onchange: () =>
                  store.changeRule(rule.id, {
                    votes: rule.votes.map((v, i) => (i === j ? vote : v)),
                  }),
              }),
              h("span", {}, text),
            ),
          ),
          !content.areSets &&
            h(
              "output",
              { class: "points" },
              points[j] ? `${signed(points[j])} points` : "no points",
            ),
        ),
      ),
    ),
  );
}
