// A number's width that stays put while it moves, where the page wants that.
import { PASSING } from "./column.js";

/**
 * With `--tween-hold-width: 1` an element that has become wider stays so until it rests. In em: it
 * grows and shrinks with the font.
 */
export class Room {
  widest = 0;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  hold() {
    const { element } = this;
    const style = getComputedStyle(element);
    if (style.getPropertyValue("--tween-hold-width").trim() !== "1") return;
    if (this.leaving) this.leaving.onfinish = null;
    element.classList.add("held");
    // Told between layout and painting: no frame is seen with less.
    this.observer ??= new ResizeObserver(() => this.grow());
    this.observer.observe(element);
  }

  grow() {
    const { element } = this;
    const width = element.getBoundingClientRect().width / parseFloat(getComputedStyle(element).fontSize);
    if (!(width > this.widest)) return;
    this.widest = width;
    element.style.minWidth = `${width}em`;
  }

  release() {
    const { element, observer, widest } = this;
    observer?.disconnect();
    if (!widest) return element.classList.remove("held");
    this.widest = 0;
    element.style.minWidth = "";
    const natural = element.getBoundingClientRect().width / parseFloat(getComputedStyle(element).fontSize);
    const steps = [{ minWidth: `${widest}em` }, { minWidth: `${natural}em` }];
    this.leaving = element.animate(steps, PASSING);
    this.leaving.onfinish = () => element.classList.remove("held");
  }
}
