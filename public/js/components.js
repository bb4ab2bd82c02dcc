// The components, registered.
import { TweenElement, write } from "./element.js";
import { TweenProgress } from "./tween-progress.js";
import { TweenTicker } from "./tween-ticker.js";

/** <tween-schedule src="…/v1/schedules/id">: a countdown as the server words it. */
class TweenSchedule extends TweenElement {
	build() {
		this.valuePart.role = "timer";
		return [this.valuePart];
	}

	/** @param {{ text: string }} data */
	frame({ text }) {
		write(this.valuePart, text);
	}
}

if (!customElements.get("tween-ticker")) {
	customElements.define("tween-progress", TweenProgress);
	customElements.define("tween-schedule", TweenSchedule);
	customElements.define("tween-ticker", TweenTicker);
}
