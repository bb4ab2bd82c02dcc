// The board: a card for every resource that exists, in the order and with the filter that the address names.
import { Card } from "./card.js";
import { LISTS } from "./element.js";
import { feedFrom } from "./feed.js";

const RANKS = { name: ({ id }) => id, newest: ({ born }) => -born };

export class Board {
	cards = new Map();
	made = 0;

	/** @param {HTMLElement} element holds the cards; @param {HTMLFormElement} view chooses filter, order and layout */
	constructor(element, view) {
		this.element = element;
		this.view = view;
		for (const [name, value] of Object.entries(this.choice)) {
			if (view.elements[name]) view.elements[name].value = value;
		}
		view.addEventListener("input", () => this.save());
		view.addEventListener("submit", (event) => event.preventDefault());
		this.sight = new IntersectionObserver((entries) => {
			for (const { target, isIntersecting } of entries) this.cards.get(target.dataset.key)?.see(isIntersecting);
		}, { rootMargin: "100px" });
		const frame = (data, key) => this.card(key).frame(data);
		const event = (name, data, key) => this.event(name, data, key);
		for (const kind in LISTS) feedFrom().listen(`${kind}:*`, { frame, event });
		this.apply();
	}

	card(key) {
		if (!this.cards.has(key)) {
			const card = new Card(key);
			card.born = this.made++;
			this.cards.set(key, card);
			this.place(card);
			this.sight.observe(card.element);
			this.count();
		}
		return this.cards.get(key);
	}

	event(name, data, key) {
		if (name === "scheduled") this.card(key).refresh();
		else if (name !== "removed") this.cards.get(key)?.event(name, data);
		else if (this.cards.has(key)) {
			this.cards.get(key).element.remove();
			this.cards.delete(key);
			this.count();
		}
	}

	/** Puts a card where the chosen order has it, hidden where the filter leaves it out. */
	place(card) {
		const { q = "", kind, order } = this.choice;
		card.element.hidden = (kind && kind !== card.kind) || !card.id.toLowerCase().includes(q.toLowerCase());
		const rank = RANKS[order] ?? (({ kind, id }) => "tps".indexOf(kind[0]) + id);
		const next = [...this.element.children].find(({ dataset }) => rank(this.cards.get(dataset.key)) > rank(card));
		const { isConnected, nextElementSibling } = card.element;
		if (!isConnected || nextElementSibling !== (next ?? null)) this.element.insertBefore(card.element, next ?? null);
	}

	get choice() {
		return Object.fromEntries(new URLSearchParams(location.search));
	}

	save() {
		const query = new URLSearchParams([...new FormData(this.view)].filter(([, value]) => value));
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
