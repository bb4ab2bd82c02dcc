// <tween-ticker src="…/v1/tickers/id">: a number on its way, as text or as digit wheels (`wheels`).
// `mode="motion"` interpolates here, `announce` speaks values at rest, `for="id"` writes into another element.
import { make, TweenElement, write } from "./element.js";
import { playMotions } from "./motion.js";
import { styles, wheelsIn } from "./wheels.js";

export class TweenTicker extends TweenElement {
	static observedAttributes = ["src", "wheels", "mode", "for"];
	styles = [styles];

	build() {
		this.value.ariaHidden = true;
		this.spoken = make("span", { class: "spoken", dir: "auto" });
		if (this.hasAttribute("announce")) this.spoken.ariaLive = "polite";
		this.show = wheelsIn(this.value);
		return [this.value, this.spoken];
	}

	get wants() {
		return this.hasAttribute("wheels") && "wheels";
	}

	listen(resource) {
		return this.getAttribute("mode") === "motion" ? playMotions(resource, this) : super.listen(resource);
	}

	frame({ text, wheels, digits }) {
		const target = document.getElementById(this.getAttribute("for"));
		if (target) target["value" in target ? "value" : "textContent"] = text;
		else this.show((this.wants && wheels) || [text], digits);
	}

	settle() {
		if (this.newest) write(this.spoken, this.newest.text);
	}
}
