// A number's width that stays put while it moves, where the page wants that.
import { PASSING, widthOf } from "./column.js";

/** With `--tween-hold-width: 1` a number that has become wider stays so until it rests. */
export class Room {
  /** In em. */
  widest = 0;

  /** @type {Animation | null} */
  leaving = null;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    // Told between layout and painting: no frame is seen with less.
    this.observer = new ResizeObserver(() => this.grow());
  }

  hold() {
    const { element } = this;
    const wish = getComputedStyle(element).getPropertyValue("--tween-hold-width");
    if (wish.trim() !== "1") return;
    if (this.leaving) this.leaving.onfinish = null;
    element.classList.add("held");
    this.observer.observe(element);
  }

  grow() {
    const width = widthOf(this.element);
    if (!(width > this.widest)) return;
    this.widest = width;
    this.element.style.minWidth = `${width}em`;
  }

  release() {
    const { element, widest } = this;
    if (!element.classList.contains("held")) return;
    this.observer.disconnect();
    this.widest = 0;
    element.style.minWidth = "";
    const steps = [{ minWidth: `${widest}em` }, { minWidth: `${widthOf(element)}em` }];
    this.leaving = element.animate(steps, PASSING);
    this.leaving.onfinish = () => element.classList.remove("held");
  }
}
