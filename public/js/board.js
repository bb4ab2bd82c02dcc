// The board: a card for every resource, in the order and with the filter that the address has.
import { Card } from "./card.js";
import { send } from "./client.js";
import { make, write } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { Births } from "./value-history.js";
import { ask } from "./settings.js";
import { language, words } from "./i18n.js";

const KINDS = ["ticker", "progress", "schedule"];
/** @type {Record<string, string>} */
const HEADINGS = { ticker: "Tickers", progress: "Progress", schedule: "Schedules" };
/** Milliseconds between two looks at what stands beside a number, and the parts in which the board
 *  is looked through: all cards at once would hold up a frame. */
const BEAT = 500;
const PARTS = 10;

/** Fires `arranged` when other cards are shown, or in another order. */
export class Board extends EventTarget {
  /** @type {Map<string, Card>} */
  cards = new Map();
  /** All, in their order.
   *  @type {Card[]} */
  sorted = [];
  /** Those of them that the filter leaves.
   *  @type {Card[]} */
  shown = [];
  /** The order and layout that `sorted` has. */
  arrangement = "";
  births = new Births();
  sorter = new Intl.Collator(language, { numeric: true });

  /** @param {HTMLElement} element
   *  @param {() => import("./url-state.js").View} view what is asked for */
  constructor(element, view) {
    super();
    this.element = element;
    this.view = view;
    this.headings = Object.fromEntries(KINDS.map((kind) => [kind, this.heading(kind)]));
    /** @type {import("./feed.js").Listener} */
    const listener = {
      frame: (data, key) => this.frame(data, key),
      isAsleep: (key) => this.cards.get(key)?.isSeen === false,
      event: (data, key, name) => this.event(data, key, name),
      motion: (data, key) => this.cards.get(key)?.setOut(data),
      wants: { frames: true, display: true, motion: true },
    };
    for (const kind of KINDS) feedFrom().listen(`${kind}:*`, listener);
    addEventListener("beforeprint", () => this.shown.forEach((card) => card.print()));
    let part = 0;
    setInterval(() => {
      part = (part + 1) % PARTS;
      if (document.hidden) return;
      for (let at = part; at < this.shown.length; at += PARTS) this.shown[at].tell();
    }, BEAT / PARTS);
  }

  /** @param {string} kind */
  heading(kind) {
    const heading = make(
      "div", { class: "group", hidden: "" }, make("h3", {}, words(HEADINGS[kind])), make("span")
    );
    if (kind !== "schedule") return heading;
    heading.id = "schedules";
    const tools = { pause: "Pause all", resume: "Resume all", cancel: "Cancel all" };
    heading.append(...Object.entries(tools).map(([name, text]) =>
      make("button", { name, click: () => this.sweep(name) }, words(text))));
    return heading;
  }

  /** @param {string} name what is done with all schedules */
  async sweep(name) {
    if (name !== "cancel") send("POST", `/v1/schedules/${name}`);
    else {
      const question = words("Cancel all schedules, shown or not? That can't be undone.");
      if (await ask(question, "Cancel all")) send("DELETE", "/v1/schedules");
    }
  }

  /** @param {any} data
   *  @param {string} key */
  frame(data, key) {
    let card = this.cards.get(key);
    if (!card) {
      card = new Card(key);
      card.born = this.births.of(key);
      this.cards.set(key, card);
      this.arrangeSoon();
      const known = feedFrom().motions.get(key);
      if (known) card.setOut(known);
    }
    card.frame(data);
  }

  /** @param {any} data
   *  @param {string} key
   *  @param {string} name */
  event(data, key, name) {
    const card = this.cards.get(key);
    if (name !== "removed") return card?.event(data, name);
    if (!card) return;
    const hasFocus = card.element.contains(document.activeElement);
    const at = this.shown.indexOf(card);
    const next = this.shown[at + 1] ?? this.shown[at - 1];
    card.remove();
    this.cards.delete(key);
    this.sorted.splice(this.sorted.indexOf(card), 1);
    this.births.forget(key);
    this.arrange();
    if (hasFocus) (next?.element ?? this.element).focus();
  }

  /** Cards that come in one turn are put in their places at once. */
  arrangeSoon() {
    if (this.isArranging) return;
    this.isArranging = true;
    queueMicrotask(() => this.arrange());
  }

  /** Shows what the filter leaves, in its order. Nothing is sorted that was, and nothing moved that
   *  stands where it should. */
  arrange() {
    this.isArranging = false;
    const { order, layout } = this.view();
    const arrangement = `${order} ${layout}`;
    const isSorted = this.sorted.length === this.cards.size && arrangement === this.arrangement;
    if (!isSorted) this.sorted = [...this.cards.values()].sort(this.comparison(order));
    this.arrangement = arrangement;
    const filter = this.filter();
    this.shown = this.sorted.filter((card) => {
      const isShown = filter(card);
      if (card.element.hidden === isShown) card.element.hidden = !isShown;
      return isShown;
    });
    this.head(order, layout);
    if (!isSorted) this.place(this.sequence(order));
    this.dispatchEvent(new Event("arranged"));
  }

  /** @returns {(card: Card) => boolean} */
  filter() {
    const { q, kind, cards } = this.view();
    const wanted = q.trim().toLowerCase();
    const chosen = new Set(cards);
    /** @param {string | undefined} text */
    const has = (text) => text?.toLowerCase().includes(wanted) ?? false;
    return (card) => (!kind || kind === card.kind)
      && (!chosen.size || chosen.has(card.key) || chosen.has(card.id))
      && (!wanted || has(card.id) || has(card.data?.text));
  }

  /** @param {string} order
   *  @returns {(a: Card, b: Card) => number} */
  comparison(order) {
    const { sorter } = this;
    /** @param {Card} a
     *  @param {Card} b */
    const byName = (a, b) => sorter.compare(a.id, b.id) || sorter.compare(a.key, b.key);
    if (order === "name") return byName;
    if (order === "newest") return (a, b) => b.born - a.born || byName(a, b);
    return (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byName(a, b);
  }

  /** Shows the headings of kinds that are shown, where cards are ordered by kind; what is done with
   *  all schedules stands beside them in any order.
   *  @param {string} order
   *  @param {string} layout */
  head(order, layout) {
    for (const kind of KINDS) {
      const count = this.shown.filter((card) => card.kind === kind).length;
      const heading = this.headings[kind];
      heading.hidden = !count || layout === "wall" || (kind !== "schedule" && order !== "");
      write(heading.children[1], `${count}`);
    }
  }

  /** @param {string} order
   *  @returns {HTMLElement[]} cards and headings as they follow each other */
  sequence(order) {
    const { sorted, headings } = this;
    if (order) return [...sorted.map(({ element }) => element), ...Object.values(headings)];
    return KINDS.flatMap((kind) => {
      const cards = sorted.filter((card) => card.kind === kind);
      return [headings[kind], ...cards.map(({ element }) => element)];
    });
  }

  /** @param {HTMLElement[]} elements */
  place(elements) {
    /** @type {Element | null} */
    let next = null;
    for (const element of elements.reverse()) {
      if (element.parentElement !== this.element || element.nextElementSibling !== next) {
        this.element.insertBefore(element, next);
      }
      next = element;
    }
  }
}
