// <tween-schedule src="…/v1/schedules/id">: a countdown as the server words it.
import { make, TweenElement } from "./element.js";

export class TweenSchedule extends TweenElement {
  build(root) {
    this.moving = make("span", { part: "value", class: "value", dir: "auto", role: "timer" });
    this.fallback = make("slot");
    root.append(this.moving, this.fallback);
  }

  frame(data) {
    this.current = data;
    this.fallback.hidden = true;
    if (this.moving.textContent !== data.text) this.moving.textContent = data.text;
  }

  settle() {}
}
