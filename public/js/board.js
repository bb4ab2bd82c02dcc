// The board: a card for every resource that exists, in the order and with the filter that the address names.
import { Card } from "./card.js";
import { read } from "./client.js";
import { feedFrom } from "./feed.js";

const LISTS = { ticker: "tickers", progress: "progress", schedule: "schedules" };
const WHEELS = 24;

export class Board {
	cards = new Map();
	made = 0;

	/** @param {HTMLElement} element holds the cards; @param {HTMLFormElement} view chooses filter, order and layout */
	constructor(element, view) {
		this.element = element;
		this.view = view;
		this.restore();
		view.addEventListener("input", () => this.save());
		view.addEventListener("submit", (event) => event.preventDefault());
		this.sight = new IntersectionObserver((entries) => {
			for (const { target, isIntersecting } of entries) target.children[1].asleep = !isIntersecting;
		}, { rootMargin: "100px" });
		const feed = feedFrom();
		const frame = (data, key) => this.card(key).frame(data);
		const event = (name, data, key) => this.event(name, data, key);
		for (const kind in LISTS) feed.listen(`${kind}:*`, { frame, event });
		feed.addEventListener("status", () => this.reconcile(feed.status.session));
	}

	card(key) {
		let card = this.cards.get(key);
		if (card) return card;
		card = new Card(key);
		card.born = this.made++;
		if (card.kind === "ticker" && this.cards.size < WHEELS) card.view.setAttribute("wheels", "");
		this.cards.set(key, card);
		this.place(card);
		this.sight.observe(card.element);
		if (!this.reading) card.refresh();
		this.count();
		return card;
	}

	event(name, data, key) {
		if (name === "removed") this.drop(key);
		else if (name === "scheduled") this.card(key).refresh();
		else this.cards.get(key)?.event(name, data);
	}

	drop(key) {
		const card = this.cards.get(key);
		if (!card) return;
		this.sight.unobserve(card.element);
		card.element.remove();
		this.cards.delete(key);
		this.count();
	}

	/** After a new connection: takes every resource's looks, and drops cards of what is gone. */
	async reconcile(session) {
		if (!session || session === this.session) return;
		this.session = session;
		this.reading = true;
		for (const kind in LISTS) await this.list(kind);
		this.reading = false;
	}

	async list(kind) {
		const gone = new Set([...this.cards.keys()].filter((key) => key.startsWith(kind)));
		for (let after = ""; ;) {
			const items = (await read(`/v1/${LISTS[kind]}?limit=100${after}`))?.items;
			if (!items) return;
			for (const item of items) {
				const key = `${kind}:${item[kind]}`;
				gone.delete(key);
				this.card(key).take(item);
			}
			if (items.length < 100) break;
			after = `&after=${encodeURIComponent(items.at(-1)[kind])}`;
		}
		for (const key of gone) this.drop(key);
	}

	/** Puts a card where the chosen order has it, hidden where the filter leaves it out. */
	place(card) {
		const { q = "", kind, order } = this.choice;
		card.element.hidden = (kind && kind !== card.kind) || !card.id.toLowerCase().includes(q.toLowerCase());
		const ranks = { name: ({ id }) => id, newest: ({ born }) => -born };
		const rank = ranks[order] ?? (({ kind, id }) => "tps".indexOf(kind[0]) + id);
		const others = [...this.element.children];
		const next = others.find(({ dataset }) => rank(this.cards.get(dataset.key)) > rank(card)) ?? null;
		const { isConnected, nextElementSibling } = card.element;
		if (!isConnected || nextElementSibling !== next) this.element.insertBefore(card.element, next);
	}

	get choice() {
		return Object.fromEntries(new URLSearchParams(location.search));
	}

	restore() {
		for (const [name, value] of Object.entries(this.choice)) {
			if (this.view.elements[name]) this.view.elements[name].value = value;
		}
		this.apply();
	}

	save() {
		const query = new URLSearchParams(location.search);
		for (const [name, value] of new FormData(this.view)) if (value) query.set(name, value); else query.delete(name);
		history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
		this.apply();
	}

	apply() {
		const { layout = "", theme = "" } = this.choice;
		Object.assign(document.documentElement.dataset, { layout, theme });
		for (const card of this.cards.values()) this.place(card);
		this.count();
	}

	count() {
		this.element.dataset.empty = [...this.element.children].every((card) => card.hidden);
	}
}
