// The components.
import { TweenElement, write } from "./tween-element.js";
import { TweenProgress } from "./tween-progress.js";
import { TweenTicker } from "./tween-ticker.js";

/** <tween-schedule src="…/v1/schedules/id">: a countdown as the server words it. */
export class TweenSchedule extends TweenElement {
	build() {
		this.valuePart.role = "timer";
		return [this.valuePart];
	}

	/** @param {{ text: string }} data */
	frame({ text }) {
		write(this.valuePart, text);
	}
}

/**
 * Registers the components, unless another script has.
 * @param {Record<string, CustomElementConstructor>} kinds by the names of the elements
 */
export function register(kinds) {
	for (const [name, kind] of Object.entries(kinds)) {
		if (!customElements.get(name)) customElements.define(name, kind);
	}
}

/** As the server's own pages have them. */
export const registerOwn = () => register({
	"tween-progress": TweenProgress, "tween-schedule": TweenSchedule, "tween-ticker": TweenTicker,
});
