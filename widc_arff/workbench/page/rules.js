// The committee, class by class or rule by rule.

import { h, refill, segmented } from "./dom.js";
import { pointsOf } from "./fitting.js";
import { tieOrder } from "./files.js";
import { conditions, holdsOn, literal } from "./literals.js";
import {
  className,
  counted,
  number,
  percent,
  shortestBetween,
  shown,
  wholePercent,
} from "./texts.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Rule} Rule */

/** The colour of a class, as a property of the style sheet.  @param {Store} store  @param {number} j */
export const colour = ({ content }, j) => `var(--class-${content.colours[j] ?? "other"})`;

/** @param {number} points */
export const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

/** The labels as they read in a sentence.  @param {Store} store  @param {number} j */
export function labelName({ content }, j) {
  const label = content.labelsRead[j];
  return content.areSets ? shown(label) : className(label);
}

/**
 * What is odd about a rule.
 * @param {Store} store
 * @param {Rule} rule
 */
export function warningsOf(store, rule) {
  const found = [];
  const same = store.sameAs(rule);
  if (same) found.push(`Rule ${same} has the same conditions.`);
  const place = store.votingPlace(rule.id);
  if (place < 0) return found;
  const { covered, decides } = store.outcome.rules[place];
  const points = pointsOf(rule.votes, store.now.weights, store.content.areSets);
  if (covered === 0) found.push("No row satisfies this rule.");
  else if (!points.some(Boolean)) found.push("All classes get the same from this rule.");
  else if (decides === 0) found.push("No row would be decided differently without this rule.");
  return found;
}

/**
 * What a rule does on the rows in view, in sentences.
 * @param {Store} store
 * @param {Rule} rule
 */
export function factsOf(store, rule) {
  const place = store.votingPlace(rule.id);
  if (place < 0) return ["Switched off: it does not vote, and is left out of what you save."];
  const { outcome } = store.shownRows;
  const on = outcome.rules[place];
  const facts = [
    `Holds on ${number(on.covered)} of ${number(outcome.weight)} rows (${percent(on.covered / outcome.weight)}).`,
  ];
  if (on.covered && on.chance) {
    facts.push(
      `Right on ${number(on.right)} of them, ${percent(on.right / on.covered)}; in all ${percent(on.chance / outcome.weight)}.`,
    );
  } else if (on.covered && store.content.areSets) {
    facts.push(`Its votes are right on ${percent(on.right / on.covered)} of them on average.`);
  }
  facts.push(
    `Without it ${counted(on.decides, "row")} would be decided differently: it turns ${number(on.saved)} to right, ${number(on.spoiled)} to wrong.`,
  );
  if (outcome.wrong) {
    const share = percent(on.mistakes / outcome.wrong);
    facts.push(
      `${number(on.mistakes)} of ${counted(outcome.wrong, "error")} (${share}) are on its rows; it is to blame for ${number(on.toBlame)}.`,
    );
  }
  return facts;
}

/**
 * @param {Store} store
 * @param {HTMLElement} place
 * @param {(rule: Rule | null) => void} onPeek told of the rule under the pointer or focus
 */
export function rulesView(store, place, onPeek) {
  const { content, now, outcome } = store;
  const lit = litRules(store);
  const warned = new Map(store.rules.map((rule) => [rule.id, warningsOf(store, rule)]));

  /** @param {Rule} rule  @param {number | null} j class under which it stands */
  function row(rule, j) {
    const k = store.votingPlace(rule.id);
    const points = pointsOf(rule.votes, now.weights, content.areSets);
    const on = k < 0 ? null : outcome.rules[k];
    const n = store.numberOf(rule.id);
    const name = `${rule.id}-${j ?? ""}`;
    const words = conditions(rule.literals, content.attributes);
    const warnings = warned.get(rule.id) ?? [];
    const classes = [
      "rule",
      rule.on ? "" : "off",
      store.selected === rule.id ? "chosen" : "",
      lit?.has(rule.id) ? "lit" : lit ? "unlit" : "",
    ];
    return h(
      "li",
      { class: classes.join(" ").trim().replace(/ +/g, " "), "data-rule": n },
      h("input", {
        type: "checkbox",
        class: "switch",
        checked: rule.on,
        key: `on ${name}`,
        "aria-label": `Rule ${n} votes`,
        title: rule.on ? "Switch this rule off" : "Switch this rule on",
        onchange: () => store.changeRule(rule.id, { on: !rule.on }),
      }),
      h(
        "button",
        {
          class: "text",
          key: `rule ${name}`,
          "aria-current": store.selected === rule.id ? "true" : null,
          onclick: () =>
            store.set({ selected: rule.id, tab: store.tab === "whatif" ? "whatif" : "rule" }),
          onpointerenter: () => onPeek(rule),
          onpointerleave: () => onPeek(null),
          onfocus: () => onPeek(rule),
          onblur: () => onPeek(null),
        },
        h("span", { class: "no" }, n),
        j === null ? null : chip(points[j], j),
        h(
          "span",
          { class: "words" },
          rule.name && h("em", {}, `${shown(rule.name)}: `),
          words.map((text, i) =>
            h("span", {}, i ? h("i", {}, " and ") : null, h("span", { class: "condition" }, text)),
          ),
          rule.locked && h("span", { class: "mark", title: "Locked" }, "locked"),
          lit?.has(rule.id) && h("span", { class: "mark holds" }, "holds"),
          warnings.length > 0 &&
            h("span", { class: "mark warn", title: warnings.join(" ") }, "check"),
          j === null ? chips(points) : null,
        ),
        j === null || !on ? cover(on, null) : cover(on, j, points[j] < 0),
      ),
    );
  }

  /** @param {number} points  @param {number} j */
  const chip = (points, j) =>
    h(
      "span",
      {
        class: `chip ${points > 0 ? "for" : points < 0 ? "against" : "none"}`,
        vars: { own: colour(store, j) },
      },
      signed(points),
    );

  /** @param {number[]} points */
  function chips(points) {
    const told = points.map((p, j) => ({ p, j })).filter(({ p }) => p !== 0);
    const first = told.sort((a, b) => Math.abs(b.p) - Math.abs(a.p)).slice(0, 3);
    return h(
      "span",
      { class: "chips" },
      first.map(({ p, j }) =>
        h(
          "span",
          { class: `chip ${p > 0 ? "for" : "against"}`, vars: { own: colour(store, j) } },
          `${labelName(store, j)} ${signed(p)}`,
        ),
      ),
      told.length > 3 && h("span", { class: "quiet" }, `and ${told.length - 3} more`),
      told.length === 0 && h("span", { class: "chip none" }, "0"),
    );
  }

  /**
   * On how many rows a rule is right; against a class, on those of others.
   * @param {import("./measures.js").RuleOnRows | null} on
   * @param {number | null} j
   * @param {boolean} [isAgainst]
   */
  function cover(on, j, isAgainst = false) {
    if (!on) return h("span", { class: "figures quiet" }, "off");
    const ofClass = j === null ? on.right : on.ofClasses[j];
    const right = isAgainst ? on.covered - ofClass : ofClass;
    const share = on.covered ? wholePercent(right / on.covered) : "–";
    return h(
      "span",
      { class: "figures" },
      h(
        "span",
        {
          class: "bar",
          vars: {
            all: on.covered / outcome.weight,
            part: on.covered ? right / on.covered : 0,
            own: j === null ? "var(--link)" : colour(store, j),
          },
        },
        h("span", {}),
      ),
      h("span", { class: "share" }, share),
      h("span", { class: "of" }, `${number(Math.round(right * 10) / 10)} of ${number(on.covered)}`),
      h("span", { class: "decides" }, number(on.decides)),
    );
  }

  const heads = h(
    "div",
    { class: "heads", "aria-hidden": "true" },
    h("span", {}, content.areSets || store.layout === "rule" ? "rule" : "points and rule"),
    h(
      "span",
      { class: "figures" },
      h("span", { class: "bar none" }),
      h("span", { class: "share" }, "right on"),
      h("span", { class: "of" }),
      h("span", { class: "decides" }, "decides"),
    ),
  );
  const groups = store.layout === "rule" || content.areSets ? [byRule()] : byClass();

  function byRule() {
    return h(
      "ul",
      { class: "rules", role: "list" },
      store.rules.map((rule) => row(rule, null)),
    );
  }

  function byClass() {
    const used = new Set();
    const sections = tieOrder(now).map((j) => {
      const votes = store.rules
        .map((rule) => ({ rule, p: pointsOf(rule.votes, now.weights, false)[j] }))
        .filter(({ p }) => p !== 0)
        .sort((a, b) => b.p - a.p || learnedPlace(a.rule) - learnedPlace(b.rule));
      for (const { rule } of votes) used.add(rule.id);
      const weight = outcome.confusion[j].reduce((sum, w) => sum + w, 0);
      return h(
        "section",
        { class: "class", "aria-labelledby": `class-${j}` },
        h(
          "h3",
          { id: `class-${j}` },
          h("span", { class: "dot", vars: { own: colour(store, j) } }),
          labelName(store, j),
          h(
            "small",
            {},
            `${number(weight)} of ${counted(outcome.weight, "row")}, ${wholePercent(weight / outcome.weight)}`,
          ),
        ),
        votes.length
          ? h(
              "ul",
              { class: "rules", role: "list" },
              votes.map(({ rule }) => row(rule, j)),
            )
          : h("p", { class: "quiet none" }, "no rule"),
      );
    });
    const silent = store.rules.filter((rule) => !used.has(rule.id));
    if (silent.length)
      sections.push(
        h(
          "section",
          { class: "class" },
          h("h3", {}, "no points"),
          h(
            "ul",
            { class: "rules", role: "list" },
            silent.map((rule) => row(rule, null)),
          ),
        ),
      );
    return sections;
  }

  // Rules keep their places while they are changed: those that decided most as learned come first.
  /** @param {Rule} rule */
  function learnedPlace(rule) {
    const k = store.learned.rules.findIndex((r) => r.id === rule.id);
    return k < 0 ? 0 : -store.learnedOutcome.rules[k].decides;
  }

  refill(
    place,
    h(
      "div",
      { class: "bar-of-tools" },
      h("h2", { id: "rules-head" }, "Rules"),
      !content.areSets &&
        segmented(
          "layout",
          "Layout of the rules",
          [
            ["class", "by class"],
            ["rule", "by rule"],
          ],
          store.layout,
          (value) => store.set({ layout: /** @type {any} */ (value) }),
        ),
      h(
        "button",
        {
          class: "tool",
          key: "new rule",
          disabled: content.attributes.length === 0,
          onclick: () => store.add(newRule(store)),
        },
        "New rule",
      ),
    ),
    store.rules.length > 0 && heads,
    groups,
    store.rules.length === 0 &&
      h("p", { class: "quiet" }, "There is no rule: every row gets the class that wins ties."),
  );
}

/** The rules that hold on the row of the what-if, by their ids.  @param {Store} store */
export function litRules(store) {
  const { row } = store;
  if (store.tab !== "whatif" || !row) return null;
  return new Set(
    store.rules.filter((rule) => rule.on && holdsOnRow(store, rule, row)).map((rule) => rule.id),
  );
}

/** @param {Store} store  @param {Rule} rule  @param {number[]} row */
export function holdsOnRow(store, rule, row) {
  const { attributes } = store.content;
  return rule.literals.every((l) =>
    holdsOn(l, row[l.attribute], attributes[l.attribute].type === "nominal"),
  );
}

/** A rule to begin with: one condition on the attribute that rules test most.  @param {Store} store */
function newRule(store) {
  const { content } = store;
  const uses = new Array(content.attributes.length).fill(0);
  for (const rule of store.rules) for (const l of rule.literals) uses[l.attribute]++;
  const attribute = uses.indexOf(Math.max(...uses));
  const votes = content.labels.map((_, j) =>
    content.areSets ? (j === 0 ? 1 : 0) : j === 0 ? 1 : -1,
  );
  return { literals: [firstLiteral(content, attribute)], votes, name: "", locked: false, on: true };
}

/**
 * A condition to begin with: above the median, or the most frequent label.
 * @param {import("./types.js").Content} content
 * @param {number} attribute
 * @returns {import("./types.js").Literal}
 */
export function firstLiteral({ data, attributes }, attribute) {
  const { codes, values } = data.columns[attribute];
  const counts = new Uint32Array(values.length + 1);
  for (const code of codes) counts[code]++;
  const n = codes.length - counts[values.length];
  if (attributes[attribute].type === "nominal") {
    let best = 0;
    for (let code = 1; code < values.length; code++) if (counts[code] > counts[best]) best = code;
    return literal(attribute, "=", best);
  }
  let [code, below] = [0, 0];
  while (code < values.length - 1 && below + counts[code] < n / 2) below += counts[code++];
  const last = Math.max(values.length - 1, 0);
  const [low, high] = [values[Math.min(code, last)] ?? 0, values[Math.min(code + 1, last)] ?? 0];
  const value =
    code < last && attributes[attribute].type === "numeric"
      ? shortestBetween(low, high, (low + high) / 2)
      : low;
  return literal(attribute, ">", value);
}
