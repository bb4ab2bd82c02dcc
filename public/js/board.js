// The board: a card for every resource that exists, in the order and with the filter that the address names.
import { Card } from "./card.js";
import { read, send } from "./client.js";
import { feedFrom } from "./feed.js";

const WHEELS = 24;

export class Board {
  /** @param {HTMLElement} element holds the cards; @param {HTMLFormElement} view its filter, order and layout */
  constructor(element, view) {
    Object.assign(this, { element, view, cards: new Map() });
    const feed = feedFrom();
    const listener = {
      frame: (data, key) => this.card(key).frame(data),
      event: (name, data, key) => this.event(name, key),
    };
    for (const kind of ["ticker", "progress", "schedule"]) feed.listen(`${kind}:*`, listener);
    feed.addEventListener("status", () => feed.status.session !== this.session && this.reconcile(feed.status.session));
    element.addEventListener("click", (event) => this.clicked(event.target));
    this.restore();
    view.addEventListener("input", () => this.save());
    view.addEventListener("submit", (event) => event.preventDefault());
    this.seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.cards.get(target.dataset.key).view.asleep = !isIntersecting;
    }, { rootMargin: "200px" });
  }

  card(key) {
    let card = this.cards.get(key);
    if (!card) {
      card = new Card(key);
      card.born = this.cards.size;
      this.cards.set(key, card);
      this.place(card);
      this.seen.observe(card.element);
      if (card.kind === "ticker" && this.cards.size <= WHEELS) card.view.setAttribute("wheels", "");
      if (!this.reading) card.refresh();
      this.count();
    }
    return card;
  }

  event(name, key) {
    const card = this.cards.get(key);
    if (name === "removed") this.drop(key);
    else if (card) card.event(name);
    else if (name === "scheduled") this.card(key);
    if (name === "fired") card?.refresh();
  }

  drop(key) {
    const card = this.cards.get(key);
    if (!card) return;
    this.seen.unobserve(card.element);
    card.element.remove();
    this.cards.delete(key);
    this.count();
  }

  /** After a new connection: takes every resource's looks, and drops cards of what is gone. */
  async reconcile(session) {
    if (!session) return;
    this.session = session;
    this.reading = true;
    const gone = new Set(this.cards.keys());
    for (const [kind, list] of [["ticker", "tickers"], ["progress", "progress"], ["schedule", "schedules"]]) {
      let after = "", items;
      do {
        items = (await read(`/v1/${list}?limit=100${after}`))?.items;
        for (const item of items ?? []) {
          const key = `${kind}:${item[kind]}`;
          gone.delete(key);
          this.card(key).take(item);
        }
        after = items?.length ? `&after=${encodeURIComponent(items.at(-1)[kind])}` : "";
      } while (items?.length === 100);
      if (!items) gone.clear();
    }
    this.reading = false;
    for (const key of gone) this.drop(key);
  }

  clicked(target) {
    const op = target.closest("[data-op]")?.dataset.op;
    if (op) this.cards.get(target.closest(".card").dataset.key).act(op);
  }

  /** Puts a card where the chosen order has it, hidden where the filter leaves it out. */
  place(card) {
    const { q, kind, order } = this.state;
    card.element.hidden = (kind && kind !== card.kind) || !card.id.toLowerCase().includes((q ?? "").toLowerCase());
    const rank = this.rank(card, order);
    const next = [...this.element.children].find((other) => this.rank(this.cards.get(other.dataset.key), order) > rank);
    if (next ? next.previousElementSibling !== card.element : this.element.lastElementChild !== card.element) {
      this.element.insertBefore(card.element, next ?? null);
    }
  }

  rank(card, order) {
    return order === "name" ? card.id : order === "newest" ? -card.born : "tps".indexOf(card.kind[0]) + card.id;
  }

  /** What the address says. */
  get state() {
    return Object.fromEntries(new URLSearchParams(location.search));
  }

  restore() {
    for (const [name, value] of Object.entries(this.state)) if (this.view.elements[name]) this.view.elements[name].value = value;
    this.apply();
  }

  save() {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of new FormData(this.view)) if (value) query.set(name, value); else query.delete(name);
    history.replaceState(null, "", `?${query}`.replace(/\?$/, location.pathname));
    this.apply();
  }

  apply() {
    const { layout = "", theme = "" } = this.state;
    Object.assign(document.documentElement.dataset, { layout, theme });
    for (const card of this.cards.values()) this.place(card);
    this.count();
  }

  count() {
    this.element.dataset.empty = [...this.element.children].every((card) => card.hidden);
  }
}

/** One button for the three preset counters, 0 to 100 and back: one request. */
export function toggle(up) {
  const easings = { linear: "linear", "ease-out": "easeOut", "ease-in": "easeIn" };
  const lines = Object.entries(easings).map(([name, easing]) =>
    JSON.stringify({ ticker: `preset-${name}`, to: up ? 100 : 0, duration: 3.5, easing }));
  return send("POST", "/v1/batch", lines.join("\n") + "\n");
}
