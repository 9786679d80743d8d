// The page: its parts, drawn anew after every change.

import { unpacked } from "./content.js";
import { h, refill } from "./dom.js";
import { figuresView, headlineView } from "./figures.js";
import { inspectorView } from "./inspector.js";
import { factsOf, rulesView } from "./rules.js";
import { Store } from "./store.js";
import { rowsView } from "./table.js";
import { takeBackView } from "./takeback.js";
import { ensureRow, whatIfView } from "./whatif.js";

/** @param {string} id */
const place = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const TABS = /** @type {const} */ ([
  ["rule", "Rule"],
  ["whatif", "What if"],
  ["figures", "Figures"],
]);

/** @param {Store} store */
function run(store) {
  const dialog = /** @type {HTMLDialogElement} */ (place("take-back"));
  const panel = place("panel");

  const draw = () => {
    ensureRow(store);
    headlineView(store, place("figures"));
    rulesView(store, place("rules"), (rule) => peek(store, rule));
    drawTabs();
    if (store.tab === "rule") inspectorView(store, panel);
    else if (store.tab === "whatif") whatIfView(store, panel);
    else figuresView(store, panel);
    rowsView(store, place("rows"));
    drawTools();
  };

  const drawTabs = () => {
    panel.setAttribute("aria-labelledby", `tab-${store.tab}`);
    refill(
      place("tabs"),
      TABS.map(([tab, text]) => {
        const isChosen = store.tab === tab;
        return h(
          "button",
          {
            role: "tab",
            id: `tab-${tab}`,
            key: `tab ${tab}`,
            "aria-selected": String(isChosen),
            "aria-controls": "panel",
            tabindex: isChosen ? 0 : -1,
            onclick: () => store.set({ tab }),
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
              const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
              if (!step) return;
              const next =
                TABS[
                  (TABS.findIndex(([own]) => own === tab) + step + TABS.length) % TABS.length
                ][0];
              store.set({ tab: next });
              place(`tab-${next}`).focus();
            },
          },
          text,
        );
      }),
    );
  };

  const drawTools = () =>
    refill(
      place("tools"),
      h(
        "button",
        {
          class: "tool",
          key: "undo",
          disabled: store.past.length === 0,
          title: "Ctrl+Z",
          onclick: () => store.undo(),
        },
        "Undo",
      ),
      h(
        "button",
        {
          class: "tool",
          key: "redo",
          disabled: store.future.length === 0,
          title: "Ctrl+Shift+Z",
          onclick: () => store.redo(),
        },
        "Redo",
      ),
      h(
        "button",
        {
          class: "tool",
          key: "start over",
          disabled: store.rules === store.learned.rules,
          title: "The rules as they were learned",
          onclick: () => store.startOver(),
        },
        "Reset",
      ),
      h(
        "button",
        { class: "main", key: "take back", onclick: () => takeBackView(store, dialog) },
        "Save",
      ),
    );

  window.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || dialog.open) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target instanceof HTMLInputElement && target.type === "text") return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) store.redo();
    else store.undo();
  });
  store.subscribe(draw);
  draw();
}

/** Say what the rule under the pointer or focus does.  @param {Store} store  @param {import("./types.js").Rule | null} rule */
function peek(store, rule) {
  const isShown = rule && rule.id === store.selected && store.tab === "rule";
  const told = rule
    ? [h("strong", {}, `Rule ${store.numberOf(rule.id)}. `), factsOf(store, rule).join(" ")]
    : [];
  const { left, width } = place("rules").getBoundingClientRect();
  place("peek").style.setProperty("--left", `${left}px`);
  place("peek").style.setProperty("--width", `${width}px`);
  refill(place("peek"), ...told);
  place("peek").hidden = !rule || isShown === true;
}

async function start() {
  const fault = (/** @type {unknown} */ error) => {
    refill(
      place("fault"),
      h("p", { role: "alert" }, error instanceof Error ? error.message : String(error)),
    );
    document.documentElement.dataset.state = "fault";
  };
  try {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("This page needs a browser of 2023 or newer, which can unpack its data.");
    }
    const store = new Store(await unpacked(place("content").textContent?.trim() ?? ""));
    run(store);
    // for whoever looks at the page by script
    Object.assign(globalThis, { workbench: store });
    place("workbench").hidden = false;
    document.documentElement.dataset.state = "ready";
  } catch (error) {
    fault(error);
  }
}

void start();
