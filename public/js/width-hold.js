// A number's width that stays put while it moves, where the page wants that.
import { PASSING, widthOf } from "./wheel-columns.js";

/** Rooms of numbers that have set out in this turn.
 *  @type {Set<Room>} */
const beginning = new Set();

/** Asks for all styles after all that was written: each asked by itself would be computed anew. */
function begin() {
  const held = [...beginning].filter((room) => room.isWished);
  beginning.clear();
  for (const room of held) room.keep();
}

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
    if (!beginning.size) queueMicrotask(begin);
    beginning.add(this);
  }

  get isWished() {
    const style = getComputedStyle(this.element);
    return style.getPropertyValue("--tween-hold-width").trim() === "1";
  }

  keep() {
    const { element } = this;
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
    beginning.delete(this);
    if (!element.classList.contains("held")) return;
    this.observer.disconnect();
    this.widest = 0;
    element.style.minWidth = "";
    const steps = [{ minWidth: `${widest}em` }, { minWidth: `${widthOf(element)}em` }];
    this.leaving = element.animate(steps, PASSING);
    this.leaving.onfinish = () => element.classList.remove("held");
  }
}
