// Digits as wheels over a number's own text. At rest the text is seen, placed as any text is; while a digit turns a strip of
// its script's digits moves over it, on the same baseline, and what enters or leaves takes up as much room as is there of it.
import { make } from "./element.js";

/** What comes or goes all at once is given this long, in milliseconds. */
const PASSING = 150;

/** For a style sheet. */
export const WHEELS = `
.wheel { position: relative }
.inner { unicode-bidi: embed; direction: ltr }
.window { position: absolute; inset: 0; overflow-y: clip; visibility: hidden }
.strip { position: absolute; inset: calc(50% - .6em) 0 auto; line-height: 1.2; white-space: pre; text-align: center;
	user-select: none }
.turning .digit { visibility: hidden }
.turning .window { visibility: visible }`;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** One part: a wheel with its strip and digit, or a text. */
class Column {
	presence = 1;

	constructor(part, faces) {
		const isWheel = typeof part[0] === "number";
		this.digit = make("span", { class: "digit" });
		if (isWheel) this.strip = make("span", { class: "strip" }, [...faces, faces[0]].join("\n"));
		this.inner = isWheel && make("span", { class: "inner" }, make("span", { class: "window" }, this.strip));
		this.element = isWheel ? make("span", { class: "wheel", part: "digit" }, this.digit, this.inner) : make("span");
		this.faces = faces;
	}

	/** A browser takes what lies over a text for a character without a direction. Embedded it parts no number; next to what
	 *  a number is bound to, as a percent sign is, it must not stand. */
	turnInward(isFirst, isLast, next) {
		const before = isLast && !(isFirst && !/^[\p{Sc}%‰٪°]/u.test(next));
		if (before !== (this.inner.nextSibling !== null)) this.element[before ? "prepend" : "append"](this.inner);
	}

	/** Its width in em, which holds for any size of the font. */
	measure() {
		const { element } = this;
		return element.getBoundingClientRect().width / parseFloat(getComputedStyle(element).fontSize) || 0;
	}

	/** The style of one that is there in part: its left is cut off, and what stands there takes the room. */
	partial(presence) {
		this.width ||= this.measure();
		const cut = 1 - presence;
		return { marginLeft: `${-cut * this.width}em`, opacity: presence, clipPath: `inset(0 -1em 0 ${cut * 100}%)` };
	}

	/** Shows a wheel's position, or a text; `resting` is for all wheels of a number at once. */
	show([content, ...numbers], resting, isAfter) {
		const [position, presence = 1] = this.strip ? numbers : [0, ...numbers];
		if (this.strip) {
			this.strip.style.transform = `translateY(${(position * -100) / 11}%)`;
			if (resting || !this.digit.firstChild) this.digit.textContent = this.faces[Math.floor(position)];
		} else if (this.text !== content) this.write(content, isAfter);
		if (presence !== this.presence) {
			const whole = { marginLeft: "", opacity: "", clipPath: "" };
			Object.assign(this.element.style, presence < 1 ? this.partial(presence) : whole);
		}
		this.presence = presence;
	}

	/** A text that changes makes room little by little, at the side where no digits stand. */
	write(text, isAfter) {
		const before = this.text && this.measure();
		this.element.textContent = this.text = text;
		if (before === undefined || still.matches) return;
		const side = isAfter ? "marginRight" : "marginLeft";
		this.element.animate([{ [side]: `${before - this.measure()}em` }, { [side]: 0 }], PASSING);
	}

	enter() {
		if (this.leaving) this.leaving.cancel();
		else if (this.presence === 1) this.pass(0, 1);
		this.leaving = null;
	}

	/** Goes, and calls `gone` when it has. */
	leave(gone) {
		if (this.leaving) return;
		this.leaving = this.pass(this.presence, 0);
		if (this.leaving) this.leaving.onfinish = gone;
		else gone();
	}

	/** Nothing for readers who prefer reduced motion. */
	pass(from, to) {
		const whole = { marginLeft: 0, opacity: 1, clipPath: "inset(0 -1em)" };
		const steps = [from, to].map((presence) => (presence < 1 ? this.partial(presence) : whole));
		return still.matches ? null : this.element.animate(steps, { duration: PASSING, fill: to ? "none" : "forwards" });
	}
}

/** The parts of a number in an element. */
export class Wheels {
	columns = new Map();

	constructor(element) {
		this.element = element;
	}

	/** Shows a text without wheels. */
	write(text) {
		this.columns.clear();
		this.shape = null;
		if (this.element.textContent !== text) this.element.textContent = text;
	}

	/** In `["$", [1, 4.5], [",", 0.5]]` a text is static and a wheel is [place, position]; a last number, less than 1, tells
	 *  how far something is there that enters or leaves. `digits` are those of its script. */
	show(parts, digits = "0123456789") {
		const all = parts.map((part) => [part].flat()), first = all.findIndex(([place]) => typeof place === "number");
		const end = all.findLastIndex(([place]) => typeof place === "number");
		const keys = all.map(([place], i) => (typeof place === "number" ? place
			: i < first ? `before ${i}` : i > end ? `after ${all.length - i}` : `at ${all[i + 1][0]}`));
		const shape = digits + keys;
		if (shape !== this.shape) this.arrange(all, keys, [...digits], first, end);
		this.shape = shape;
		const resting = all.every((part) => typeof part[0] === "number" ? part[1] % 1 === 0 && !(part[2] < 1) : !(part[1] < 1));
		this.element.classList.toggle("turning", !resting);
		all.forEach((part, i) => this.columns.get(keys[i]).show(part, resting, i > end));
		for (const column of this.entering.splice(0)) column.enter();
	}

	entering = [];

	/** Puts the columns in order; those that are wanted no more leave where they stand. */
	arrange(all, keys, faces, first, end) {
		const { columns, element } = this, isNew = !columns.size || columns.values().next().value.faces.join() !== faces.join();
		if (isNew) {
			columns.clear();
			element.replaceChildren();
		}
		for (const [key, column] of columns) if (!keys.includes(key)) column.leave(() => {
			column.element.remove();
			if (columns.get(key) === column) columns.delete(key);
		});
		let next = null;
		for (const [i, key] of [...keys.entries()].reverse()) {
			const column = columns.get(key) ?? new Column(all[i], faces);
			if (!isNew && (column.leaving || !columns.has(key))) this.entering.push(column);
			columns.set(key, column);
			if (!column.element.isConnected) element.insertBefore(column.element, next);
			if (column.strip) column.turnInward(i === first, i === end, all[i + 1]?.[0] ?? "");
			else if (i > first && i < end) column.element.className = "inner";
			next = column.element;
		}
	}
}
