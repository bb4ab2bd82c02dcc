// <tween-schedule src="…/v1/schedules/id">: a countdown as the server words it.
import { TweenElement, write } from "./element.js";

export class TweenSchedule extends TweenElement {
	styles = [];

	build() {
		this.value.role = "timer";
		return [this.value];
	}

	frame({ text }) {
		write(this.value, text);
	}
}
