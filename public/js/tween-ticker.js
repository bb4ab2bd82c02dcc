// <tween-ticker src="…/v1/tickers/id">: a number on its way, as text or as digit wheels (`wheels`).
// `mode="motion"` interpolates here, `announce` speaks values at rest, `for="id"` writes into another element.
import { make, TweenElement, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { MotionPlayer } from "./motion.js";
import { Wheels } from "./wheels.js";

export class TweenTicker extends TweenElement {
	static observedAttributes = ["src", "wheels", "mode", "for"];

	build() {
		this.value.ariaHidden = true;
		this.spoken = make("span", { class: "spoken", dir: "auto" });
		if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
		return [this.value, this.spoken];
	}

	listen(resource) {
		this.wheels = this.hasAttribute("wheels") && new Wheels(this.value);
		if (this.getAttribute("mode") !== "motion") return super.listen(resource);
		const player = new MotionPlayer(resource, this);
		return () => player.stop();
	}

	frame({ text, value }) {
		const target = this.hasAttribute("for") && document.getElementById(this.getAttribute("for"));
		if (target) target["value" in target ? "value" : "textContent"] = text;
		else if (this.wheels) this.wheels.show(text, value, feedFrom(this.resource.origin).pace !== "live");
		else write(this.value, text);
	}
}
