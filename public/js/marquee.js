// <tween-marquee items="selector">: selects what a dragged rectangle touches among its descendants.
// Fires `selectionchange` with the ids (their `data-key`), and knows nothing of what they are.

const keys = (items) => items.map((item) => item.dataset.key);

export class TweenMarquee extends HTMLElement {
	chosen = new Set();
	box = Object.assign(document.createElement("div"), { className: "marquee" });

	connectedCallback() {
		this.addEventListener("pointerdown", (event) => this.begin(event));
		// An item's own box, for the keyboard.
		this.addEventListener("change", ({ target }) => target.matches(".pick")
			&& this.choose(keys(this.items.filter((item) => item.querySelector(".pick").checked))));
		addEventListener("keydown", (event) => this.key(event));
		addEventListener("pointerdown", ({ target }) => target.closest(`${this.localName}, [data-keep]`) || this.choose([]));
	}

	get items() {
		return [...this.querySelectorAll(this.getAttribute("items"))].filter((item) => !item.hidden);
	}

	begin({ button, target, shiftKey, pointerType, pageX, pageY }) {
		if (button || target.closest("a, button, input, select, textarea, summary")) return;
		const kept = shiftKey ? [...this.chosen] : [], { signal } = (this.end = new AbortController());
		const on = (name, act, source = window) => source.addEventListener(name, act, { signal });
		let last;
		this.choose(kept);
		if (pointerType === "touch") return;
		const drag = ({ buttons, clientX, clientY }) => {
			if (!buttons) return this.finish();
			last = { buttons, clientX, clientY };
			this.draw(pageX - scrollX, pageY - scrollY, clientX, clientY, kept);
		};
		on("pointermove", drag);
		on("scroll", () => last && drag(last));
		for (const name of ["pointerup", "pointercancel", "blur", "dragstart"]) on(name, () => this.finish());
		on("pointerleave", () => this.finish(), document.documentElement);
	}

	/** The rectangle between two points of the window, whichever way it is drawn. */
	draw(x, y, toX, toY, kept) {
		const box = new DOMRect(Math.min(x, toX), Math.min(y, toY), Math.abs(x - toX), Math.abs(y - toY));
		if (!this.box.isConnected && box.width + box.height < 4) return;
		document.body.append(this.box);
		document.body.classList.add("dragging");
		getSelection().removeAllRanges();
		for (const side of ["left", "top", "width", "height"]) this.box.style[side] = `${box[side]}px`;
		this.choose([...kept, ...keys(this.items.filter((item) => {
			const { left, right, top, bottom } = item.getBoundingClientRect();
			return left <= box.right && right >= box.left && top <= box.bottom && bottom >= box.top;
		}))]);
	}

	finish() {
		this.end?.abort();
		this.box.remove();
		document.body.classList.remove("dragging");
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
