// <tween-marquee items="selector">: selects what a dragged rectangle touches among its descendants.
// Fires `selectionchange` with the ids (their `data-key`), and knows nothing of what they are.

export class TweenMarquee extends HTMLElement {
	chosen = new Set();

	connectedCallback() {
		this.addEventListener("pointerdown", (event) => this.begin(event));
		this.addEventListener("change", ({ target }) => target.matches(".pick") && this.toggle(target));
		addEventListener("keydown", (event) => this.key(event));
		document.addEventListener("pointerdown", ({ target }) => {
			if (!this.contains(target) && !target.closest("[data-keep]")) this.choose([]);
		});
	}

	get items() {
		return [...this.querySelectorAll(this.getAttribute("items"))].filter((item) => !item.hidden);
	}

	begin(event) {
		if (event.button || event.target.closest("a, button, input, select, textarea, summary")) return;
		this.kept = event.shiftKey ? [...this.chosen] : [];
		this.choose(this.kept);
		if (event.pointerType === "touch") return;
		this.start = { x: event.pageX, y: event.pageY };
		this.end = new AbortController();
		const on = (name, act, target = window) => target.addEventListener(name, act, { signal: this.end.signal });
		on("pointermove", (move) => this.drag(move));
		on("scroll", () => this.last && this.drag(this.last));
		for (const name of ["pointerup", "pointercancel", "blur", "dragstart"]) on(name, () => this.finish());
		on("pointerleave", () => this.finish(), document.documentElement);
	}

	/** The rectangle from the first point to this one, whichever way it is drawn, in page coordinates. */
	drag({ buttons, clientX, clientY }) {
		if (!buttons) return this.finish();
		this.last = { buttons, clientX, clientY };
		const x = clientX + scrollX, y = clientY + scrollY, { start } = this;
		const left = Math.min(x, start.x), width = Math.abs(x - start.x);
		const top = Math.min(y, start.y), height = Math.abs(y - start.y);
		if (!this.box) {
			if (width + height < 4) return;
			this.box = document.createElement("div");
			this.box.className = "marquee";
			document.body.append(this.box);
			document.documentElement.classList.add("dragging");
		}
		getSelection().removeAllRanges();
		for (const [name, value] of Object.entries({ left, top, width, height })) this.box.style[name] = `${value}px`;
		const touched = this.items.filter((item) => {
			const card = item.getBoundingClientRect();
			return card.left + scrollX <= left + width && card.right + scrollX >= left
				&& card.top + scrollY <= top + height && card.bottom + scrollY >= top;
		});
		this.choose([...this.kept, ...touched.map((item) => item.dataset.key)]);
	}

	finish() {
		this.end?.abort();
		this.box?.remove();
		this.box = this.last = null;
		document.documentElement.classList.remove("dragging");
	}

	/** A card's own box, for the keyboard. */
	toggle(pick) {
		const { key } = pick.closest("[data-key]").dataset;
		this.choose(pick.checked ? [...this.chosen, key] : [...this.chosen].filter((other) => other !== key));
	}

	key(event) {
		if (event.key === "Escape") {
			this.finish();
			this.choose([]);
		} else if (event.key === "a" && (event.ctrlKey || event.metaKey) && this.contains(document.activeElement)) {
			event.preventDefault();
			this.choose(this.items.map((item) => item.dataset.key));
		}
	}

	choose(keys) {
		const before = [...this.chosen].join(" ");
		this.chosen = new Set(keys);
		if ([...this.chosen].join(" ") === before) return;
		for (const item of this.querySelectorAll(this.getAttribute("items"))) {
			const chosen = this.chosen.has(item.dataset.key);
			item.classList.toggle("chosen", chosen);
			const pick = item.querySelector(".pick");
			if (pick) pick.checked = chosen;
		}
		this.dispatchEvent(new CustomEvent("selectionchange", { detail: { ids: [...this.chosen] }, bubbles: true }));
	}
}
