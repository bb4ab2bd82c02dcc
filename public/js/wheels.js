// Digit wheels: one for each digit of a text; all else is static. A frame's digits are where the wheels go, and no
// wheel takes longer than the gap between its last two changes: fast ones sit on each frame, slow ones roll.
import { make } from "./element.js";

const NUMBER = /\p{Nd}(?:[\p{Nd}.,\u00a0\u202f\u2019\u066b\u066c']*\p{Nd})?/gu;
const DIGIT = /\p{Nd}/u;
const turning = new Set();
let last = 0;

/** A decimal digit of any script: its value, and its script's zero. */
function digitOf(character) {
	const code = character.codePointAt(0);
	let zero = code;
	if (code >= 0x1d7ce) zero -= (code - 0x1d7ce) % 10;
	else while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
	return { digit: code - zero, zero };
}

/** A strip of digits behind a window, on a critically damped spring that starts from wherever it is. */
class Wheel {
	changed = -Infinity;

	constructor({ digit, zero }) {
		this.strip = make("span");
		for (let i = 0; i < 11; i++) this.strip.append(make("span", {}, String.fromCodePoint(zero + (i % 10))));
		this.element = make("span", { class: "wheel", part: "digit", "data-digit": digit }, this.strip);
		this.zero = zero;
		this.digit = digit;
		this.rest();
	}

	/** Goes to a digit the way a rising number turns, or the other; jumps where there is no time to roll. */
	turn(digit, up, still) {
		if (digit === this.digit) return;
		const now = performance.now(), gap = Math.min(420, now - this.changed), way = digit - this.digit;
		this.target += up ? (way + 10) % 10 : -((10 - way) % 10);
		this.element.dataset.digit = this.digit = digit;
		this.changed = now;
		this.rate = 7000 / gap;
		if (still || gap < 50) return this.rest();
		if (!turning.size) requestAnimationFrame(spin);
		turning.add(this);
	}

	rest() {
		turning.delete(this);
		this.position = this.target = this.digit;
		this.speed = 0;
		this.place();
	}

	/** One screen frame of x″ = -2wx′ - w²x, solved exactly. */
	advance(seconds) {
		const away = this.position - this.target, w = this.rate, fade = Math.exp(-w * seconds), push = this.speed + w * away;
		this.position = this.target + (away + push * seconds) * fade;
		this.speed = (this.speed - w * push * seconds) * fade;
		if (Math.abs(this.position - this.target) + Math.abs(this.speed) / 50 < 0.005) this.rest(); else this.place();
	}

	place() {
		this.strip.style.transform = `translateY(${((((this.position % 10) + 10) % 10) * -100) / 11}%)`;
	}
}

function spin(time) {
	const seconds = Math.min(0.05, Math.max(0.004, (time - last) / 1000));
	last = time;
	for (const wheel of turning) wheel.advance(seconds);
	if (turning.size) requestAnimationFrame(spin);
}

/** A text with wheels inside an element of the caller's. Digits keep their wheel by their place from the right. */
export class Wheels {
	numbers = [];

	constructor(element) {
		this.element = element;
	}

	/** Shows a frame: `value` says which way to turn, `still` forbids to roll. */
	show(text, value, still) {
		const up = !(value < this.value), shape = text.replace(/\p{Nd}/gu, "0");
		this.value = value;
		if (shape !== this.shape) this.build(text);
		this.shape = shape;
		const wheels = this.numbers.flat().values();
		for (const [number] of text.matchAll(NUMBER)) {
			const digits = [...number].filter((character) => DIGIT.test(character));
			for (const character of digits) wheels.next().value.turn(digitOf(character).digit, up, still);
		}
	}

	build(text) {
		const old = this.numbers, parts = [];
		let end = 0;
		this.numbers = [];
		for (const { 0: number, index } of text.matchAll(NUMBER)) {
			parts.push(text.slice(end, index), this.row([...number], old[this.numbers.length] ?? []));
			end = index + number.length;
		}
		this.element.replaceChildren(...parts, text.slice(end));
	}

	row(characters, before) {
		const wheels = [];
		let place = before.length - characters.filter((character) => DIGIT.test(character)).length;
		const parts = characters.map((character) => {
			if (!DIGIT.test(character)) return character;
			const fresh = digitOf(character), kept = before[place++];
			wheels.push(kept?.zero === fresh.zero ? kept : new Wheel(fresh));
			return wheels.at(-1).element;
		});
		for (const wheel of before) if (!wheels.includes(wheel)) turning.delete(wheel);
		this.numbers.push(wheels);
		return make("span", { class: "number", dir: "ltr" }, ...parts);
	}
}
