// <tween-ticker src="…/v1/tickers/id">: a number on its way, as text or as digit wheels (`wheels`, or which way they turn).
// `mode="motion"` interpolates here, `announce` speaks values at rest, `for="id"` writes into another element.
import { make, TweenElement, write } from "./element.js";
import { playMotions } from "./motion.js";
import { Wheels } from "./wheels.js";
import { WHEELS } from "./wheels-style.js";

export class TweenTicker extends TweenElement {
	static observedAttributes = ["src", "ticket", "wheels", "mode", "for"];
	styles = WHEELS;

	build() {
		this.wheels = new Wheels(this.valuePart);
		this.valuePart.ariaHidden = true;
		this.spoken = make("span", { class: "spoken", dir: "auto" });
		if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
		return [this.valuePart, this.spoken];
	}

	/** How the wheels turn, as the stream has it; undefined for text. */
	get wheelStyle() {
		const style = this.getAttribute("wheels");
		return /^(continuous|up|down|shortest|strip)$/.test(style) ? style : style === null ? undefined : "odometer";
	}

	get wants() {
		return this.wheelStyle && `wheels=${this.wheelStyle}`;
	}

	/** Wheels are the server's: an element that has them gets frames, and so does one whose stream needs tickets. */
	listen(resource) {
		const frames = () => super.listen(resource);
		return this.getAttribute("mode") === "motion" && !this.wheelStyle && !this.ticket ? playMotions(resource, this, frames) : frames();
	}

	/** What rests because the page does is shown as text: wheels could stand between two digits. */
	frame(frame) {
		const { text, wheels } = frame;
		const target = document.getElementById(this.getAttribute("for"));
		if (target) target["value" in target ? "value" : "textContent"] = text;
		else if (wheels && this.wheelStyle && this.feed?.pace === "live") this.wheels.show(frame, /^(odometer|continuous)$/.test(this.wheelStyle));
		else this.wheels.write(text);
	}

	/** The text that is shown; empty before the first. */
	get text() {
		return this.newest?.text ?? "";
	}

	/** The number that is shown; null before the first. */
	get value() {
		return this.newest ? Number(this.newest.value) : null;
	}

	/** How far it is from its least to its greatest, from 0 to 1; null where that isn't known. */
	get fraction() {
		return this.newest?.fraction ?? null;
	}

	settle() {
		this.wheels.settle();
		if (!this.newest) return;
		this.spoken.dataset.text = this.newest.text;
		if (this.spoken.ariaLive) write(this.spoken, this.newest.text);
	}
}
