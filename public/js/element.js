// What the components share, and a maker of elements.
import { feedFrom } from "./feed.js";

/** Makes an element, HTML or SVG, with attributes, listeners (functions) and children. */
export function make(tag, attributes = {}, ...children) {
	const space = /svg|path|circle/.test(tag) ? "2000/svg" : "1999/xhtml";
	const element = document.createElementNS(`http://www.w3.org/${space}`, tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") element.addEventListener(name, value);
		else element.setAttribute(name, value);
	}
	element.append(...children);
	return element;
}

/** A picture of elements, or of paths by their data. */
export const drawing = (viewBox, ...parts) => make("svg", { viewBox, "aria-hidden": true },
	...parts.map((part) => (part.nodeType ? part : make("path", { d: part }))));

export function write(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

const SHARED = `
:host { display: inline-block; font-variant-numeric: tabular-nums }
:host([hidden]) { display: none }
.spoken { user-select: none; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.value { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }`;

/** An element fed by one resource. Subclasses `build` a shadow root and draw each `frame`. */
export class TweenElement extends HTMLElement {
	static observedAttributes = ["src", "ticket"];
	styles = "";

	connectedCallback() {
		// What the page had set before it knew the element hides the property.
		const { ticket } = this;
		if (delete this.ticket && ticket !== this.ticket) this.giver = ticket;
		if (!this.shadowRoot) {
			const root = this.attachShadow({ mode: "open" });
			const { constructor: kind } = this;
			if (!kind.sheet) (kind.sheet = new CSSStyleSheet()).replaceSync(SHARED + this.styles);
			root.adoptedStyleSheets = [kind.sheet];
			this.valuePart = make("span", { part: "value", class: "value", dir: "auto" });
			this.fallback = make("slot");
			root.append(...this.build(), this.fallback);
		}
		this.follow();
	}

	disconnectedCallback() {
		this.leave = this.leave?.();
	}

	attributeChangedCallback() {
		if (this.leave) this.follow();
	}

	follow() {
		this.leave?.();
		this.leave = this.resource && this.listen(this.resource);
	}

	/** What gives one-time tickets: a function, or an address, which may be the attribute's. */
	get ticket() {
		return this.giver || this.getAttribute("ticket") || undefined;
	}

	set ticket(giver) {
		this.giver = giver;
		this.attributeChangedCallback();
	}

	/** Server and topic of `src`; without them the fallback text stays. */
	get resource() {
		const { origin, pathname: path } = new URL(this.getAttribute("src") ?? "", document.baseURI);
		const [, list, id] = /\/v1\/(tickers|progress|schedules)\/([^/]+)$/.exec(path) ?? [];
		return list && { origin, path, key: `${list.replace(/([re])s$/, "$1")}:${decodeURIComponent(id)}` };
	}

	listen({ origin, key }) {
		const frame = (data) => this.take(data), event = (data, key, name) => this.event(data, name);
		this.feed = feedFrom(origin, this.wheelStyle, this.ticket);
		return this.feed.listen(key, { frame, event, wants: this.wants });
	}

	take(data) {
		const first = !this.newest;
		this.newest = data;
		this.fallback.hidden = true;
		this.draw();
		if (first) this.settle?.();
		const { value, text, fraction, percent } = data;
		this.dispatchEvent(new CustomEvent("tweenframe", { detail: { value, text, fraction, percent } }));
	}

	draw() {
		if (this.newest && !this.unseen) this.frame(this.newest);
	}

	/** The server's events, as DOM events; values at rest are for assistive technology, frames are not. */
	event(detail, name) {
		if (this.newest && detail.reason !== "superseded") this.settle?.();
		this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
	}
}
