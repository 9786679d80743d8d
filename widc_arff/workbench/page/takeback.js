// What goes back: a model file, a file of rules, and the commands that go on with them.

import { h, refill, segmented } from "./dom.js";
import { modelText, rulesText } from "./files.js";
import { conditionsKey } from "./literals.js";
import { counted } from "./texts.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Rule} Rule */

/** @typedef {"all" | "own"} Kept which rules the file of rules has */

/**
 * The rules to keep: all, or those that are locked or not as they were learned.
 * @param {Store} store
 * @param {Kept} kept
 */
export function keptRules(store, kept) {
  const { rules } = store.now;
  if (kept === "all") return rules;
  const learned = new Set(
    store.learned.rules.map((r) => `${conditionsKey(r.literals)}\n\n${r.votes}`),
  );
  return rules.filter(
    (r) => r.locked || !learned.has(`${conditionsKey(r.literals)}\n\n${r.votes}`),
  );
}

/** Names of the files, after the model's.  @param {Store} store */
export function namesOf({ content }) {
  const stem =
    content.files.model
      .replace(/^.*[\\/]/, "")
      .replace(/\.json$/i, "")
      .replace(/[^\w.-]+/g, "-")
      .replace(/^-+/, "") || "model";
  return { model: `${stem}-changed.json`, rules: `${stem}-rules.txt`, next: `${stem}-next.json` };
}

/**
 * @param {Store} store
 * @param {HTMLDialogElement} dialog
 * @param {Kept} [kept]
 */
export function takeBackView(store, dialog, kept = "own") {
  const { content } = store;
  const { files } = content;
  const names = namesOf(store);
  const isPossible = keptRules(store, "own").length > 0;
  const own = isPossible ? kept : "all";
  const rules = keptRules(store, own);
  const text = rulesText(content, rules);
  const all = rulesText(content, store.now.rules);
  const history = store.history.slice((content.model.history ?? []).length);
  const isSample = content.data.n < files.rowsInFile;
  /** @param {string} line */
  const filled = (line) =>
    line
      .replace("@rules@", names.rules)
      .replace("@model@", names.model)
      .replace("@next@", names.next);
  refill(
    dialog,
    h("h2", { id: "take-back-head" }, "Save your changes"),
    h(
      "section",
      {},
      h("h3", {}, history.length ? "Changes" : "No rule is changed"),
      h(
        "ul",
        {},
        history.map((line) => h("li", {}, line)),
      ),
    ),
    isSample &&
      h(
        "p",
        { class: "warning" },
        `The figures of the model file are those of the ${content.data.n} rows on this page, of ${files.rowsInFile}.`,
        files.edit && " To use all rows, keep all rules and run: ",
        files.edit && h("code", {}, filled(files.edit)),
      ),
    h(
      "section",
      {},
      h("h3", {}, "Model file"),
      h("p", {}, "It makes the same decisions as this page, and holds a history of the changes."),
      h(
        "button",
        {
          class: "main",
          key: "save model",
          onclick: () =>
            save(names.model, modelText(content, store.now, store.history), "application/json"),
        },
        `Download ${names.model}`,
      ),
      command("evaluate", filled(files.evaluate)),
    ),
    h(
      "section",
      {},
      h("h3", {}, "Rules to keep"),
      segmented(
        "kept",
        "Which rules",
        [
          ["own", `changed or locked (${keptRules(store, "own").length})`],
          ["all", `all (${store.now.rules.length})`],
        ],
        own,
        (value) => takeBackView(store, dialog, /** @type {Kept} */ (value)),
      ),
      text === null || all === null
        ? h(
            "p",
            { class: "warning" },
            "A name or label has a line break, which a file of rules cannot hold. Use the model file: --rules reads it too.",
          )
        : [
            h(
              "button",
              {
                class: "main",
                key: "save rules",
                disabled: rules.length === 0,
                onclick: () => save(names.rules, text, "text/plain"),
              },
              `Download ${names.rules}`,
            ),
            h(
              "pre",
              { class: "rules-text", tabindex: 0, "aria-label": "The file of rules" },
              text || "no rule",
            ),
          ],
      h("p", {}, learnText(content, rules)),
      command("learn", filled(files.learn)),
    ),
    h(
      "div",
      { class: "bar-of-tools end" },
      h("button", { class: "tool", key: "close", onclick: () => dialog.close() }, "Close"),
    ),
  );
  if (!dialog.open) dialog.showModal();
}

/** What the last command does.  @param {import("./types.js").Content} content  @param {Rule[]} rules */
function learnText({ areSets }, rules) {
  if (areSets) return "Learn the rest around the rules that you locked:";
  return `Learn the rest around ${counted(rules.length, "rule")} that stay${rules.length === 1 ? "s" : ""}:`;
}

/** @param {string} name  @param {string} text */
function command(name, text) {
  const done = h("span", { role: "status", class: "quiet" });
  const copy = () => {
    const said = (/** @type {boolean} */ isDone) =>
      (done.textContent = isDone ? "copied" : "select it and copy");
    if (navigator.clipboard)
      navigator.clipboard.writeText(text).then(
        () => said(true),
        () => said(false),
      );
    else said(false);
  };
  return h(
    "div",
    { class: "command" },
    h("code", { "data-command": name }, text),
    h(
      "button",
      {
        class: "tool",
        key: `copy ${name}`,
        "aria-label": `Copy the command ${name}`,
        onclick: copy,
      },
      "Copy",
    ),
    done,
  );
}

/** @param {string} name  @param {string} text  @param {string} type */
function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
