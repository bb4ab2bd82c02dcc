// The board: a card for each resource, in the order and with the filter of the address.
import { Card } from "./card.js";
import { send } from "./client.js";
import { confirmAction } from "./confirm-dialog.js";
import { make, setText } from "./dom.js";
import { feedFrom } from "./feed.js";
import { FirstSeen } from "./first-seen.js";
import { language, translate } from "./i18n.js";

const KINDS = ["ticker", "progress", "schedule"];
/** @type {Record<string, string>} */
const HEADINGS = { ticker: "Tickers", progress: "Progress", schedule: "Schedules" };
/** Milliseconds between two updates of a card's details. The cards are updated in slices, because all at once would
 *  delay a frame. */
const DETAILS_INTERVAL = 500;
const SLICES = 10;

/** Fires `arranged` when the cards shown, or their order, change. */
export class Board extends EventTarget {
  /** @type {Map<string, Card>} */
  cards = new Map();
  /** All cards, in order.
   *  @type {Card[]} */
  #sorted = [];
  /** The cards that pass the filter.
   *  @type {Card[]} */
  shown = [];
  /** The order and layout of `sorted`. */
  #arrangement = "";
  firstSeen = new FirstSeen();
  #sorter = new Intl.Collator(language, { numeric: true });
  #isArranging = false;
  #view;
  #headings;
  #tickers;

  /** @param {HTMLElement} element
   *  @param {() => import("./url-state.js").View} view the view of the address */
  constructor(element, view) {
    super();
    this.element = element;
    this.#view = view;
    this.#headings = Object.fromEntries(KINDS.map((kind) => [kind, this.#heading(kind)]));
    /** @type {import("./subscriptions.js").Listener} */
    const listener = {
      frame: (data, key) => this.#frame(data, key),
      isOffscreen: (key) => this.cards.get(key)?.isVisible === false,
      event: (data, key, name) => this.#event(data, key, name),
      motion: (data, key) => this.cards.get(key)?.startMotion(data),
      wants: { frames: true, display: true, motion: true },
    };
    // With the wheels of the cards to come: requested later, they would send everything again.
    this.#tickers = { ...listener, wants: { ...listener.wants, wheels: /** @type {string | undefined} */ ("odometer") } };
    for (const kind of KINDS) feedFrom().listen(`${kind}:*`, kind === "ticker" ? this.#tickers : listener);
    addEventListener("beforeprint", () => this.shown.forEach((card) => card.print()));
    let part = 0;
    setInterval(() => {
      part = (part + 1) % SLICES;
      if (document.hidden) return;
      for (let at = part; at < this.shown.length; at += SLICES) this.shown[at].updateDetails();
    }, DETAILS_INTERVAL / SLICES);
  }

  /** @param {string} kind */
  #heading(kind) {
    const heading = make(
      "div", { class: "group", hidden: "" }, make("h3", {}, translate(HEADINGS[kind])), make("span")
    );
    if (kind !== "schedule") return heading;
    heading.id = "schedules";
    const tools = { pause: "Pause all", resume: "Resume all", cancel: "Cancel all" };
    heading.append(...Object.entries(tools).map(([name, text]) =>
      make("button", { name, click: () => this.#actOnAllSchedules(name) }, translate(text))));
    return heading;
  }

  /** @param {string} name the action for all schedules */
  async #actOnAllSchedules(name) {
    if (name !== "cancel") send("POST", `/v1/schedules/${name}`);
    else {
      const question = translate("Cancel all schedules, including hidden ones? This can't be undone.");
      if (await confirmAction(question, "Cancel all")) send("DELETE", "/v1/schedules");
    }
  }

  /** @param {any} data
   *  @param {string} key */
  #frame(data, key) {
    let card = this.cards.get(key);
    if (!card) {
      card = new Card(key);
      // From here on the cards request their wheels themselves.
      if (card.kind === "ticker") this.#tickers.wants.wheels = undefined;
      card.firstSeen = this.firstSeen.of(key);
      this.cards.set(key, card);
      this.#arrangeSoon();
      const known = feedFrom().motions.get(key);
      if (known) card.startMotion(known);
    }
    card.frame(data);
  }

  /** @param {any} data
   *  @param {string} key
   *  @param {string} name */
  #event(data, key, name) {
    const card = this.cards.get(key);
    if (name !== "removed") return card?.event(data, name);
    if (!card) return;
    const hasFocus = card.element.contains(document.activeElement);
    const at = this.shown.indexOf(card);
    const next = this.shown[at + 1] ?? this.shown[at - 1];
    card.remove();
    this.cards.delete(key);
    this.#sorted.splice(this.#sorted.indexOf(card), 1);
    this.firstSeen.forget(key);
    this.arrange();
    if (hasFocus) (next?.element ?? this.element).focus();
  }

  /** Arranges all cards that arrive in one turn together. */
  #arrangeSoon() {
    if (this.#isArranging) return;
    this.#isArranging = true;
    queueMicrotask(() => this.arrange());
  }

  /** Shows the cards that pass the filter, in order. Sorts and moves only what is out of place. */
  arrange() {
    this.#isArranging = false;
    const { order, layout } = this.#view();
    const arrangement = `${order} ${layout}`;
    const isSorted = this.#sorted.length === this.cards.size && arrangement === this.#arrangement;
    if (!isSorted) this.#sorted = [...this.cards.values()].sort(this.#comparison(order));
    this.#arrangement = arrangement;
    const filter = this.#filter();
    this.shown = this.#sorted.filter((card) => {
      const isShown = filter(card);
      if (card.element.hidden === isShown) card.element.hidden = !isShown;
      return isShown;
    });
    this.#updateHeadings(order, layout);
    if (!isSorted) this.#place(this.#sequence(order));
    this.dispatchEvent(new Event("arranged"));
  }

  /** @returns {(card: Card) => boolean} */
  #filter() {
    const { q, kind, cards } = this.#view();
    const query = q.trim().toLowerCase();
    const only = new Set(cards);
    /** @param {string | undefined} text */
    const has = (text) => text?.toLowerCase().includes(query) ?? false;
    return (card) => (!kind || kind === card.kind)
      && (!only.size || only.has(card.key) || only.has(card.id))
      && (!query || has(card.id) || has(card.data?.text));
  }

  /** @param {string} order
   *  @returns {(a: Card, b: Card) => number} */
  #comparison(order) {
    const sorter = this.#sorter;
    /** @param {Card} a
     *  @param {Card} b */
    const byName = (a, b) => sorter.compare(a.id, b.id) || sorter.compare(a.key, b.key);
    if (order === "name") return byName;
    if (order === "newest") return (a, b) => b.firstSeen - a.firstSeen || byName(a, b);
    return (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byName(a, b);
  }

  /** Shows the headings of the kinds shown, if cards are ordered by kind. The heading of schedules, with the
   *  actions for all of them, shows in any order.
   *  @param {string} order
   *  @param {string} layout */
  #updateHeadings(order, layout) {
    for (const kind of KINDS) {
      const count = this.shown.filter((card) => card.kind === kind).length;
      const heading = this.#headings[kind];
      heading.hidden = !count || layout === "wall" || (kind !== "schedule" && order !== "");
      setText(heading.children[1], `${count}`);
    }
  }

  /** @param {string} order
   *  @returns {HTMLElement[]} cards and headings in order */
  #sequence(order) {
    const sorted = this.#sorted;
    const headings = this.#headings;
    if (order) return [...sorted.map(({ element }) => element), ...Object.values(headings)];
    return KINDS.flatMap((kind) => {
      const cards = sorted.filter((card) => card.kind === kind);
      return [headings[kind], ...cards.map(({ element }) => element)];
    });
  }

  /** @param {HTMLElement[]} elements */
  #place(elements) {
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
