// The custom elements.
import { setText } from "./dom.js";
import { TweenElement } from "./tween-element.js";
import { TweenProgress } from "./tween-progress.js";
import { TweenTicker } from "./tween-ticker.js";

/** <tween-schedule src="…/v1/schedules/id">: a countdown in the server's words. */
export class TweenSchedule extends TweenElement {
	build() {
		this.valuePart.role = "timer";
		return [this.valuePart];
	}

	/** @param {{ text: string }} data */
	render({ text }) {
		setText(this.valuePart, text);
	}
}

/**
 * Defines the elements, unless another script has defined them.
 * @param {Record<string, CustomElementConstructor>} classes by element name
 */
export function defineElements(classes) {
	for (const [name, kind] of Object.entries(classes)) {
		if (!customElements.get(name)) customElements.define(name, kind);
	}
}

/** Defines the elements of the server's own pages. */
export const defineOwnElements = () => defineElements({
	"tween-progress": TweenProgress, "tween-schedule": TweenSchedule, "tween-ticker": TweenTicker,
});
