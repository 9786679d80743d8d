// The labels of a nominal attribute, spread over the classes, of which a rule names some.

import { missing, weightsByValue } from "./bins.js";
import { h } from "./dom.js";
import { holdsOn, isForLabels, isOfState, literalsOfLabels } from "./literals.js";
import { colour, labelName } from "./rules.js";
import { mostOf } from "./sums.js";
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
  const { kinds } = store.content;
  const states = own.filter(isOfState);
  const named = own.filter((l) => !isOfState(l));
  const isFor = named.some(isForLabels);
  const isHeld = (/** @type {number} */ code) => named.every((l) => holdsOn(l, code, true));
  const chosen = new Set(named.length ? Array.from(values).filter((v) => isHeld(v) === isFor) : []);
  const isOne = isFor && !kinds.includes("in");
  const most = Math.max(mostOf(sums.map((of) => of.reduce((a, b) => a + b, 0))), 1e-9);

  /** Say which labels there are, or are not.  @param {boolean} isNowFor  @param {number[]} codes */
  function become(isNowFor, codes) {
    const place = rule.literals.findIndex((l) => l.attribute === attribute);
    const rest = rule.literals.filter((l) => l.attribute !== attribute);
    const before = rule.literals.slice(0, place).filter((l) => l.attribute !== attribute).length;
    const literals = [...literalsOfLabels(attribute, isNowFor, codes, kinds), ...states];
    store.changeRule(rule.id, {
      literals: [...rest.slice(0, before), ...literals, ...rest.slice(before)],
    });
  }

  /** @param {number} code */
  function toggled(code) {
    if (isOne) return become(true, [code]);
    const codes = chosen.has(code) ? [...chosen].filter((v) => v !== code) : [...chosen, code];
    return codes.length ? become(isFor, codes) : store.notify();
  }

  /** @param {boolean} isNowFor */
  function turned(isNowFor) {
    const codes = chosen.size ? [...chosen].sort((a, b) => a - b) : [0];
    become(isNowFor, isNowFor && !kinds.includes("in") ? codes.slice(0, 1) : codes);
  }

  return [
    h("div", { class: "mode" }, modeButton(true, "is"), modeButton(false, "is not")),
    h(
      "ul",
      { class: "values", role: "list", "data-scroll": `values ${attribute}` },
      Array.from(values, (code) => {
        const of = sums[code];
        const total = of.reduce((a, b) => a + b, 0);
        const holds = isHeld(code);
        return h(
          "li",
          { class: holds ? "inside" : "" },
          h(
            "label",
            {},
            h("input", {
              type: isOne ? "radio" : "checkbox",
              name: `value-${attribute}`,
              checked: chosen.has(code),
              key: `value ${attribute} ${code}`,
              "aria-label": `${declared.read} ${isFor ? "is" : "is not"} ${declared.values[code]}`,
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
                      own: store.content.areSets ? "var(--quiet)" : colour(store, j),
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

  /** @param {boolean} isOfFor  @param {string} text */
  function modeButton(isOfFor, text) {
    const isNow = named.length > 0 && isFor === isOfFor;
    return h(
      "button",
      {
        class: "tool",
        key: `mode ${attribute} ${isOfFor ? "=" : "!="}`,
        "aria-pressed": String(isNow),
        onclick: () => isNow || turned(isOfFor),
      },
      text,
    );
  }
}

/** What the colours mean.  @param {Store} store */
export function legend(store) {
  if (store.content.areSets) return null;
  const { colours } = store.content;
  const own = [...colours.keys()].filter((j) => colours[j] !== null);
  return h(
    "ul",
    { class: "legend", role: "list", "aria-label": "Colours of the classes" },
    own.map((j) =>
      h(
        "li",
        {},
        h("span", { class: "dot", vars: { own: colour(store, j) } }),
        labelName(store, j),
      ),
    ),
    own.length < colours.length &&
      h("li", {}, h("span", { class: "dot", vars: { own: "var(--class-other)" } }), "others"),
  );
}
