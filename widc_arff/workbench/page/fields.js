// Fields for values that are typed, and checked.

import { h } from "./dom.js";
import { cutText, typedValue } from "./texts.js";

/**
 * A field for a number or date; what is typed is checked, and why it is refused is said.
 * @param {string} id
 * @param {string} words
 * @param {import("./types.js").Attribute} attribute
 * @param {number} value NaN where it is missing
 * @param {string} label
 * @param {(value: number) => void} take
 */
export function numberField(id, words, attribute, value, label, take) {
  const told = h("span", { class: "fault", id: `${id}-fault`, role: "alert" });
  const input = h("input", {
    id,
    key: id,
    type: "text",
    inputmode: attribute.type === "numeric" ? "decimal" : "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": label,
    "aria-describedby": `${id}-fault`,
    value: Number.isNaN(value) ? "" : cutText(attribute, value),
    onchange: () => {
      const typed = typedValue(attribute, input.value);
      const isBad = Number.isNaN(typed);
      input.setAttribute("aria-invalid", String(isBad));
      const kind =
        attribute.type === "date"
          ? `a date such as ${cutText(attribute, Number.isNaN(value) ? 0 : value)}`
          : "a number such as 4.5";
      told.textContent = isBad ? `expected ${kind}, got ${JSON.stringify(input.value)}` : "";
      if (!isBad) take(typed);
    },
  });
  return h("label", { class: "end" }, words && h("span", {}, words), input, told);
}
