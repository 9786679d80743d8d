// Elements without markup in strings: whatever a name or value holds, it becomes text.

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes on… are listeners, key names what keeps the focus
 * @param {(Child | Child[])[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "key") element.setAttribute("data-key", value);
    else if (name === "vars") {
      for (const [key, of] of Object.entries(value)) {
        /** @type {HTMLElement} */ (element).style.setProperty(`--${key}`, String(of));
      }
    } else if (name === "value" || name === "checked" || name === "selected") {
      /** @type {any} */ (element)[name] = value;
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  filled(element, attributes, children);
  // a value can be chosen only when its options are there
  if (name === "select" && attributes.value !== undefined) {
    /** @type {any} */ (element).value = attributes.value;
  }
  return element;
}

/**
 * An element of SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 */
export function s(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  filled(element, attributes, children);
  return element;
}

/**
 * Put other children into an element; what had the focus has it again, as its key tells.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function refill(element, ...children) {
  const active = document.activeElement;
  const key = active && element.contains(active) ? active.getAttribute("data-key") : null;
  const scrolled = [...element.querySelectorAll("[data-scroll]")].map(
    (e) => /** @type {[string, number]} */ ([e.getAttribute("data-scroll") ?? "", e.scrollTop]),
  );
  element.replaceChildren();
  filled(element, {}, children);
  for (const [name, top] of scrolled) {
    for (const e of element.querySelectorAll("[data-scroll]")) {
      if (e.getAttribute("data-scroll") === name) e.scrollTop = top;
    }
  }
  if (key === null) return;
  for (const e of element.querySelectorAll("[data-key]")) {
    if (e.getAttribute("data-key") === key) {
      /** @type {HTMLElement} */ (e).focus({ preventScroll: true });
      return;
    }
  }
}

/**
 * A choice of one of several, drawn as one control.
 * @param {string} name of the group, unique on the page
 * @param {string} label
 * @param {[string, string][]} options values with their texts
 * @param {string} value
 * @param {(value: string) => void} onchange
 */
export function segmented(name, label, options, value, onchange) {
  return h(
    "fieldset",
    { class: "segmented" },
    h("legend", { class: "unseen" }, label),
    options.map(([own, text]) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name,
          value: own,
          checked: own === value,
          key: `${name} ${own}`,
          onchange: () => onchange(own),
        }),
        h("span", {}, text),
      ),
    ),
  );
}

/**
 * A list to choose from.
 * @param {string} key
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} value
 * @param {(value: string) => void} onchange
 */
export function choice(key, label, options, value, onchange) {
  return h(
    "label",
    { class: "choice" },
    h("span", {}, label),
    h(
      "select",
      { key, value, onchange: (/** @type {any} */ event) => onchange(event.target.value) },
      options.map(([own, text]) => h("option", { value: own }, text)),
    ),
  );
}
