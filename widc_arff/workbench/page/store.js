// The state of the page: the rules as they are now, what was before, and what they do on the rows.

import { nearestChanges } from "./changes.js";
import { committeeOf } from "./content.js";
import { changesTold, figuresTold, voteTheSame } from "./files.js";
import { fitted } from "./fitting.js";
import { conditionsKey } from "./literals.js";
import { deciding, outcomeOf } from "./measures.js";
import { Covers, patternsOf } from "./patterns.js";

/** @typedef {import("./types.js").Rule} Rule */
/** @typedef {import("./types.js").Committee} Committee */
/** @typedef {import("./measures.js").Outcome} Outcome */

/**
 * @typedef {object} Filter
 * @property {number} actual class, or -1
 * @property {number} decided class, or -1
 * @property {"" | "right" | "wrong" | "blame"} outcome
 * @property {number} rule id, or 0
 */

/** @type {Filter} */
export const ALL_ROWS = { actual: -1, decided: -1, outcome: "", rule: 0 };

const MOST_KEPT = 500;
/** Of rules class by class, as the page begins. */
const MOST_LINES = 800;

export class Store {
  /** @param {import("./types.js").Content} content */
  constructor(content) {
    this.content = content;
    this.covers = new Covers(content.data);
    this.coversOfTest = content.test && new Covers(content.test);
    this.learned = committeeOf(content);
    /** @type {Rule[]} */
    this.rules = this.learned.rules;
    this.now = this.learned;
    /** @type {Rule[][]} */
    this.past = [];
    /** @type {Rule[][]} */
    this.future = [];
    /** @type {Rule[] | null} rules before a change that is under way, such as a drag */
    this.before = null;
    this.nextId = this.rules.length + 1;
    /** @type {number} */
    this.selected = this.rules[0]?.id ?? 0;
    /** @type {"rule" | "whatif" | "figures"} */
    this.tab = "rule";
    const nLines = this.rules.length * content.labels.length;
    /** @type {"class" | "rule"} */
    this.layout = content.areSets || nLines > MOST_LINES ? "rule" : "class";
    this.onTest = false;
    /** @type {Filter} */
    this.filter = ALL_ROWS;
    /** @type {number[] | null} values of the row of the what-if */
    this.row = null;
    this.rowNumber = -1;
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.outcome = outcomeOf(content, this.now, this.covers);
    this.outcomeOfTest = this.coversOfTest && outcomeOf(content, this.now, this.coversOfTest);
    this.learnedOutcome = this.outcome;
    this.learnedOutcomeOfTest = this.outcomeOfTest;
  }

  /** Call after every change.  @param {() => void} listener */
  subscribe(listener) {
    this.listeners.push(listener);
  }

  notify() {
    for (const listener of this.listeners) listener();
  }

  /** The rows in view, with what the committee does there. */
  get shownRows() {
    const isTest = this.onTest && this.content.test !== null;
    return {
      rows: isTest
        ? /** @type {import("./types.js").Rows} */ (this.content.test)
        : this.content.data,
      outcome: /** @type {Outcome} */ (isTest ? this.outcomeOfTest : this.outcome),
      covers: /** @type {Covers} */ (isTest ? this.coversOfTest : this.covers),
    };
  }

  /** @param {Partial<Store>} values */
  set(values) {
    Object.assign(this, values);
    this.notify();
  }

  /** The rule that is selected, with its place among all. */
  get selectedRule() {
    const place = this.rules.findIndex((rule) => rule.id === this.selected);
    return { rule: place < 0 ? null : this.rules[place], place };
  }

  /** Number of a rule as people read it, from 1 on.  @param {number} id */
  numberOf(id) {
    return this.rules.findIndex((rule) => rule.id === id) + 1;
  }

  /** Place of a rule among those that vote; -1 where it is off.  @param {number} id */
  votingPlace(id) {
    return this.now.rules.findIndex((rule) => rule.id === id);
  }

  /**
   * Take other rules.
   * @param {Rule[]} rules
   * @param {boolean} [isUnderWay] whether more of the same change follows
   */
  change(rules, isUnderWay = false) {
    this.before ??= this.rules;
    this.rules = rules;
    if (!isUnderWay) this.settle();
    this.#renew();
  }

  /** End a change that was under way. */
  settle() {
    if (this.before && JSON.stringify(this.before) !== JSON.stringify(this.rules)) {
      this.past = [...this.past.slice(-MOST_KEPT), this.before];
      this.future = [];
    }
    this.before = null;
  }

  /** @param {number} id  @param {Partial<Rule>} values  @param {boolean} [isUnderWay] */
  changeRule(id, values, isUnderWay = false) {
    this.change(
      this.rules.map((rule) => (rule.id === id ? { ...rule, ...values } : rule)),
      isUnderWay,
    );
  }

  /** @param {Omit<Rule, "id">} rule */
  add(rule) {
    const id = this.nextId++;
    this.selected = id;
    this.tab = "rule";
    this.change([...this.rules, { ...rule, id }]);
  }

  /** @param {number} id */
  remove(id) {
    const place = this.rules.findIndex((rule) => rule.id === id);
    const rest = this.rules.filter((rule) => rule.id !== id);
    this.selected = rest[Math.min(place, rest.length - 1)]?.id ?? 0;
    if (this.filter.rule === id) this.filter = { ...this.filter, rule: 0 };
    this.change(rest);
  }

  undo() {
    this.settle();
    const rules = this.past.pop();
    if (rules) this.#goTo(rules, this.future);
  }

  redo() {
    const rules = this.future.pop();
    if (rules) this.#goTo(rules, this.past);
  }

  startOver() {
    this.change(this.learned.rules);
  }

  /** @param {Rule[]} rules  @param {Rule[][]} others */
  #goTo(rules, others) {
    others.push(this.rules);
    this.rules = rules;
    if (!rules.some((rule) => rule.id === this.selected)) this.selected = rules[0]?.id ?? 0;
    if (!rules.some((rule) => rule.id === this.filter.rule))
      this.filter = { ...this.filter, rule: 0 };
    this.#renew();
  }

  /** Find anew what the rules do. */
  #renew() {
    const voting = this.rules.filter((rule) => rule.on);
    if (voteTheSame(voting, this.learned.rules)) this.now = this.#asLearned(voting);
    else {
      const patterns = patternsOf(this.covers, voting, this.content.labels.length);
      this.now = fitted(this.content, voting, patterns);
    }
    this.outcome = outcomeOf(this.content, this.now, this.covers);
    this.outcomeOfTest = this.coversOfTest && outcomeOf(this.content, this.now, this.coversOfTest);
    this.notify();
  }

  /** Rules that decide as those learned, with the figures of these.  @param {Rule[]} rules */
  #asLearned(rules) {
    const key = (/** @type {Rule} */ rule) => `${conditionsKey(rule.literals)}\n\n${rule.votes}`;
    const known = new Map(
      this.learned.rules.map((rule, k) => [key(rule), this.learned.figures[k]]),
    );
    const figures = rules.map(
      (rule) => /** @type {import("./types.js").RuleFigures} */ (known.get(key(rule))),
    );
    return { ...this.learned, rules, figures };
  }

  /** The learned rules with figures of the rows of the page. */
  get learnedAnew() {
    const { rules } = this.learned;
    return fitted(this.content, rules, patternsOf(this.covers, rules, this.content.labels.length));
  }

  /** The history of the model file, this page's changes behind the others. */
  get history() {
    const told = changesTold(this.content, this.learned, this.now);
    if (this.now.isNew) told.push(figuresTold(this.content, this.learnedAnew, this.now));
    return [...(this.content.model.history ?? []), ...told];
  }

  get deciding() {
    return deciding(this.content, this.now);
  }

  /** What would change the decision for a row.  @param {number[]} row */
  changesOf(row) {
    return nearestChanges(this.content, this.now, row, this.deciding.decision);
  }

  /** Rules whose conditions another one before them has.  @param {Rule} rule */
  sameAs(rule) {
    const key = conditionsKey(rule.literals);
    const other = this.rules.find((r) => r.id !== rule.id && conditionsKey(r.literals) === key);
    return other ? this.numberOf(other.id) : 0;
  }
}
