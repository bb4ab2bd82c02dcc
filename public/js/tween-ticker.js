// <tween-ticker src="…/v1/tickers/id">: a number on its way, as text or as digit wheels (`wheels`, or which way they turn).
// `mode="motion"` interpolates here, `announce` speaks values at rest, `for="id"` writes into another element.
import { make, TweenElement, write } from "./element.js";
import { playMotions } from "./motion.js";
import { Wheels, WHEELS } from "./wheels.js";

export class TweenTicker extends TweenElement {
	static observedAttributes = ["src", "ticket", "wheels", "mode", "for"];
	styles = WHEELS;

	build() {
		this.wheels = new Wheels(this.value);
		this.value.ariaHidden = true;
		this.spoken = make("span", { class: "spoken", dir: "auto" });
		if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
		return [this.value, this.spoken];
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
	frame({ text, wheels, digits }) {
		const target = document.getElementById(this.getAttribute("for"));
		if (target) target["value" in target ? "value" : "textContent"] = text;
		else if (wheels && this.wheelStyle && this.feed?.pace === "live") this.wheels.show(wheels, digits);
		else this.wheels.write(text);
	}

	settle() {
		if (this.newest) write(this.spoken, this.newest.text);
	}
}
