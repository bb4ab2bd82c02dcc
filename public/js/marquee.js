// <tween-marquee items="selector">: selects what a dragged rectangle touches among its descendants, whatever they are.
// Fires `selectionchange` with their ids, `data-key`.

const keys = (items) => items.map((item) => item.dataset.key);

export class TweenMarquee extends HTMLElement {
	chosen = new Set();
	box = Object.assign(document.createElement("div"), { className: "marquee" });

	connectedCallback() {
		const on = (target, names, act) => names.split(" ").forEach((name) => target.addEventListener(name, act));
		on(this, "pointerdown", (event) => this.begin(event));
		on(window, "pointermove scroll", (event) => this.start && this.drag(event));
		on(window, "pointerup pointercancel blur dragstart", () => this.finish());
		on(document.documentElement, "pointerleave", () => this.finish());
		on(window, "pointerdown", ({ target }) => target.closest(`${this.localName}, [data-keep]`) || this.choose([]));
		on(window, "keydown", (event) => this.key(event));
		// An item's own box, for the keyboard.
		on(this, "change", ({ target }) => target.matches(".pick")
			&& this.choose(keys(this.items.filter((item) => item.querySelector(".pick").checked))));
	}

	get items() {
		return [...this.querySelectorAll(`${this.getAttribute("items")}:not([hidden])`)];
	}

	begin(from) {
		if (from.button || from.target.closest("a, button, input, select, textarea, summary")) return;
		const kept = from.shiftKey ? [...this.chosen] : [];
		this.choose(kept);
		if (from.pointerType !== "touch") this.start = { kept, from, to: from };
	}

	/** Draws it any way, from where it began on a page that may scroll. */
	drag(event) {
		if (event.buttons === 0) return this.finish();
		if (event.type !== "scroll") this.start.to = event;
		const { kept, from, to } = this.start, x = from.pageX - scrollX, y = from.pageY - scrollY;
		const { left, right, top, bottom } = new DOMRect(x, y, to.clientX - x, to.clientY - y);
		const width = right - left, height = bottom - top;
		if (!this.box.isConnected && width + height < 4) return;
		document.body.append(this.box);
		getSelection().removeAllRanges();
		for (const [side, at] of Object.entries({ left, top, width, height })) this.box.style[side] = `${at}px`;
		this.choose([...kept, ...keys(this.items.filter((item) => {
			const box = item.getBoundingClientRect();
			return box.left <= right && box.right >= left && box.top <= bottom && box.bottom >= top;
		}))]);
	}

	finish() {
		this.start = null;
		this.box.remove();
	}

	key(event) {
		if (event.key === "Escape") {
			this.finish();
			this.choose([]);
		} else if (event.key === "a" && (event.ctrlKey || event.metaKey) && this.contains(document.activeElement)) {
			event.preventDefault();
			this.choose(keys(this.items));
		}
	}

	choose(ids) {
		if (`${[...this.chosen]}` === `${ids}`) return;
		this.chosen = new Set(ids);
		for (const item of this.querySelectorAll(this.getAttribute("items"))) {
			const chosen = this.chosen.has(item.dataset.key);
			item.classList.toggle("chosen", chosen);
			item.querySelector(".pick").checked = chosen;
		}
		this.dispatchEvent(new CustomEvent("selectionchange", { detail: { ids: [...this.chosen] }, bubbles: true }));
	}
}
