// What the components share: address, feed, shadow root, style sheet; and a maker of elements.
import { feedFrom } from "./feed.js";

const SVG = ["svg", "path", "circle"];

/** The lists that hold each kind, as the service's paths name them. */
export const LISTS = { ticker: "tickers", progress: "progress", schedule: "schedules" };

/** Makes an element, HTML or SVG; functions become listeners, the rest attributes, and children text or nodes. */
export function make(tag, attributes = {}, ...children) {
	const element = document.createElementNS(`http://www.w3.org/${SVG.includes(tag) ? "2000/svg" : "1999/xhtml"}`, tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") element.addEventListener(name, value);
		else element.setAttribute(name, value);
	}
	element.append(...children);
	return element;
}

export function write(element, text) {
	if (element && element.textContent !== text) element.textContent = text;
}

export function sheet(text) {
	const styles = new CSSStyleSheet();
	styles.replaceSync(text);
	return styles;
}

const shared = sheet(`
:host { display: inline-block; font-variant-numeric: tabular-nums }
:host([hidden]) { display: none }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.value { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }`);

/** A custom element fed by one resource. Subclasses `build` their shadow root and draw each `frame`. */
export class TweenElement extends HTMLElement {
	static observedAttributes = ["src"];

	connectedCallback() {
		if (!this.shadowRoot) {
			const root = this.attachShadow({ mode: "open" });
			root.adoptedStyleSheets = [shared, this.constructor.styles ?? []].flat();
			this.value = make("span", { part: "value", class: "value", dir: "auto" });
			this.fallback = make("slot");
			root.append(...this.build(), this.fallback);
		}
		this.follow();
	}

	disconnectedCallback() {
		this.leave?.();
		this.leave = null;
	}

	attributeChangedCallback() {
		if (this.leave) this.follow();
	}

	follow() {
		this.disconnectedCallback();
		const { resource } = this;
		this.leave = resource && this.listen(resource);
	}

	listen({ origin, key }) {
		const frame = (data) => {
			this.newest = data;
			if (!this.resting || !this.current) this.take(data);
		};
		return feedFrom(origin).listen(key, { frame, event: (name, data) => this.event(name, data), wants: this.wants });
	}

	take(data) {
		const first = !this.current;
		this.current = data;
		this.fallback.hidden = true;
		this.frame(data);
		this.drawn = performance.now();
		if (first) this.settle(); else this.settleSoon();
	}

	/** Out of sight nothing is drawn; back in sight the newest frame is, at once. */
	set asleep(asleep) {
		this.resting = asleep;
		if (!asleep && this.newest) this.take(this.newest);
	}

	/** Server and topic of `src="…/v1/tickers/revenue"`; without them the fallback text stays. */
	get resource() {
		const { origin, pathname: path } = new URL(this.getAttribute("src") ?? "", document.baseURI);
		const [, list, id] = /\/v1\/(\w+)\/([^/]+)$/.exec(path) ?? [];
		const kind = Object.keys(LISTS).find((kind) => LISTS[kind] === list);
		return kind && { origin, path, key: `${kind}:${decodeURIComponent(id)}` };
	}

	/** The server's events, as DOM events of the same names. */
	event(name, data) {
		if (data.finished) this.settle();
		this.dispatchEvent(new CustomEvent(name, { detail: data, bubbles: true, composed: true }));
	}

	/** Assistive technology gets values at rest; frames in between are none of its business. */
	settle() {
		write(this.spoken, this.newest.text);
	}

	settleSoon() {
		this.timer ??= setTimeout(() => {
			this.timer = null;
			if (performance.now() - this.drawn < 600) this.settleSoon(); else this.settle();
		}, 700);
	}
}
