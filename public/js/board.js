// The board: a card for every resource that exists, in the order and with the filter that the address names.
import { Card } from "./card.js";
import { feedFrom } from "./feed.js";

const RANKS = { name: ({ id }) => id, newest: ({ born }) => -born };

export class Board {
	cards = new Map();
	made = 0;

	/** `element` holds the cards; the form `view` chooses filter, order and layout. */
	constructor(element, view) {
		this.element = element;
		for (const [name, value] of new URLSearchParams(location.search)) {
			if (view.elements[name]) view.elements[name].value = value;
		}
		view.addEventListener("input", () => {
			const query = new URLSearchParams([...new FormData(view)].filter(([, value]) => value));
			history.replaceState(null, "", `?${query}`);
			this.arrange();
		});
		view.addEventListener("submit", (event) => event.preventDefault());
		const frame = (data, key) => this.card(key).frame(data);
		const event = (data, key, name) => this.event(key, name);
		for (const kind of ["ticker", "progress", "schedule"]) feedFrom().listen(`${kind}:*`, { frame, event });
		this.arrange();
	}

	card(key) {
		if (!this.cards.has(key)) {
			const card = new Card(key);
			card.born = this.made++;
			this.cards.set(key, card);
			this.arrange([card]);
		}
		return this.cards.get(key);
	}

	event(key, name) {
		if (name !== "removed") return this.cards.get(key)?.event(name);
		this.cards.get(key)?.element.remove();
		this.cards.delete(key);
		this.arrange([]);
	}

	/** Puts cards where the chosen order has them, hidden where the filter leaves them out. */
	arrange(cards = this.cards.values()) {
		const { q = "", kind, order, layout = "", theme = "" } = Object.fromEntries(new URLSearchParams(location.search));
		const rank = RANKS[order] ?? (({ kind, id }) => "tps".indexOf(kind[0]) + id), all = this.element.children;
		for (const card of cards) {
			const { element } = card;
			element.hidden = (kind && kind !== card.kind) || !card.id.toLowerCase().includes(q.toLowerCase());
			const next = [...all].find(({ dataset }) => rank(this.cards.get(dataset.key)) > rank(card)) ?? null;
			if (!element.isConnected || element.nextElementSibling !== next) this.element.insertBefore(element, next);
		}
		Object.assign(document.body.dataset, { layout, theme, empty: [...all].every((card) => card.hidden) });
	}
}
