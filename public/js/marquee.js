// <tween-marquee>: selects what a dragged rectangle touches among its descendants that match `items`.
// Fires `selectionchange` with the ids (`data-key`); knows nothing of what they are.

const INTERACTIVE = "a, button, input, select, textarea, summary, label, [contenteditable]";

export class TweenMarquee extends HTMLElement {
  connectedCallback() {
    this.chosen = new Set();
    this.addEventListener("pointerdown", (event) => this.begin(event));
    this.addEventListener("change", ({ target }) => target.matches(".pick") && this.toggle(target));
    addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", ({ target }) => {
      if (!this.contains(target) && !target.closest("[data-keep]")) this.choose([]);
    });
  }

  get items() {
    return [...this.querySelectorAll(this.getAttribute("items"))].filter((item) => !item.hidden);
  }

  /** Keys in the order of the board. */
  get selection() {
    return [...this.chosen];
  }

  begin(event) {
    if (event.button !== 0 || event.target.closest(INTERACTIVE)) return;
    const touch = event.pointerType === "touch";
    this.kept = event.shiftKey ? this.selection : [];
    if (!event.shiftKey) this.choose([]);
    if (touch) return;
    this.start = { x: event.pageX, y: event.pageY };
    this.end = new AbortController();
    const { signal } = this.end;
    addEventListener("pointermove", (move) => this.drag(move), { signal });
    for (const name of ["pointerup", "pointercancel", "blur", "dragstart"]) addEventListener(name, () => this.finish(), { signal });
    document.documentElement.addEventListener("pointerleave", () => this.finish(), { signal });
    addEventListener("scroll", () => this.last && this.drag(this.last), { signal });
  }

  /** The rectangle from the first point to this one, whichever way it was drawn, in page coordinates. */
  drag(event) {
    if (!event.buttons) return this.finish();
    this.last = { buttons: 1, clientX: event.clientX, clientY: event.clientY };
    const x = event.clientX + scrollX, y = event.clientY + scrollY;
    const box = {
      left: Math.min(x, this.start.x), top: Math.min(y, this.start.y),
      width: Math.abs(x - this.start.x), height: Math.abs(y - this.start.y),
    };
    if (!this.rectangle && box.width + box.height < 4) return;
    event.preventDefault?.();
    if (!this.rectangle) {
      this.rectangle = document.createElement("div");
      this.rectangle.className = "marquee";
      document.body.append(this.rectangle);
      getSelection().removeAllRanges();
      document.documentElement.classList.add("dragging");
    }
    for (const [name, value] of Object.entries(box)) this.rectangle.style.setProperty(name, `${value}px`);
    const touched = this.items.filter((item) => {
      const card = item.getBoundingClientRect();
      return card.left + scrollX < box.left + box.width && card.right + scrollX > box.left
        && card.top + scrollY < box.top + box.height && card.bottom + scrollY > box.top;
    });
    this.choose([...this.kept, ...touched.map((item) => item.dataset.key)]);
  }

  finish() {
    this.end?.abort();
    this.rectangle?.remove();
    this.rectangle = this.last = null;
    document.documentElement.classList.remove("dragging");
  }

  /** A card's own box, for the keyboard. */
  toggle(pick) {
    const key = pick.closest("[data-key]").dataset.key;
    this.choose(pick.checked ? [...this.chosen, key] : this.selection.filter((other) => other !== key));
  }

  key(event) {
    if (event.key === "Escape") {
      this.finish();
      this.choose([]);
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey) && this.contains(document.activeElement)) {
      event.preventDefault();
      this.choose(this.items.map((item) => item.dataset.key));
    }
  }

  choose(keys) {
    const next = new Set(keys);
    if (next.size === this.chosen.size && [...next].every((key) => this.chosen.has(key))) return;
    this.chosen = next;
    for (const item of this.querySelectorAll(this.getAttribute("items"))) {
      const chosen = next.has(item.dataset.key);
      item.classList.toggle("chosen", chosen);
      const pick = item.querySelector(".pick");
      if (pick) pick.checked = chosen;
    }
    this.dispatchEvent(new CustomEvent("selectionchange", { detail: { ids: this.selection }, bubbles: true }));
  }
}
