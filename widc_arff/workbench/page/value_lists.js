// The labels of a nominal attribute, spread over the classes, of which a rule names some.

import { missing, weightsByValue } from "./bins.js";
import { h } from "./dom.js";
import { colour, labelName } from "./rules.js";
import { number } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Literal} Literal */
/** @typedef {import("./types.js").Rule} Rule */

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
