// The board: a card for every resource, ordered and filtered as the address says.
import { Card } from "./card.js";
import { feedFrom } from "./feed.js";

/** Puts cards into `element` as the form `view` chooses. Answers with the cards by their keys. */
export function showBoard(element, view) {
	const cards = new Map(), all = element.children;
	let made = 0;

	for (const [name, value] of new URLSearchParams(location.search)) {
		if (view.elements[name]) view.elements[name].value = value;
	}
	view.addEventListener("input", () => {
		history.replaceState(null, "", `?${new URLSearchParams(new FormData(view))}`);
		arrange();
	});
	view.addEventListener("submit", (event) => event.preventDefault());
	for (const kind of ["ticker", "progress", "schedule"]) feedFrom().listen(`${kind}:*`, { frame, event });
	arrange();
	return cards;

	function frame(data, key) {
		if (!cards.has(key)) {
			const card = new Card(key);
			card.born = made++;
			cards.set(key, card);
			arrange([card]);
		}
		cards.get(key).frame(data);
	}

	function event(data, key, name) {
		if (name !== "removed") return cards.get(key)?.event(name);
		cards.get(key)?.element.remove();
		cards.delete(key);
		arrange([]);
	}

	/** Puts cards where the order has them, hidden where the filter leaves them out. */
	function arrange(some = cards.values()) {
		const { q, kind, order, layout } = Object.fromEntries(new FormData(view));
		const rank = ({ kind, id, born }) => ({ name: id, newest: -born })[order] ?? "tps".indexOf(kind[0]) + id;
		for (const card of some) {
			card.element.hidden = (kind && kind !== card.kind) || !card.id.toLowerCase().includes(q.toLowerCase());
			const next = [...all].find(({ dataset }) => rank(cards.get(dataset.key)) > rank(card)) ?? null;
			if (!card.element.isConnected || card.element.nextElementSibling !== next) element.insertBefore(card.element, next);
		}
		Object.assign(document.body.dataset, { layout, empty: [...all].every(({ hidden }) => hidden) });
	}
}
