// A card's tools: a handle to seek by, what can be done with a motion, and a menu of what can be
// copied.
import { pathOf, send } from "./client.js";
import { openMenu } from "./clipboard.js";
import { drawing, make } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { ask } from "./settings.js";
import { words } from "./i18n.js";

/** The sign of each tool.
 *  @type {Record<string, string>} */
const SIGNS = {
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  resume: "M4 2v12l9-6z",
  finish: "M2 3v10l7-5zM10 3h3v10h-3z",
  cancel: "M4 4h8v8H4z",
  delete: "m4 3 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z",
  more: "M2 7h3v3H2zM6.500 7h3v3h-3zM11 7h3v3h-3z",
};

export class Tools {
  /** What was under way before it was sought.
   *  @type {import("./undo.js").Before | undefined} */
  before;
  /** The frame in which the handle moves on.
   *  @type {number | undefined} */
  next;
  /** Where it was last asked to go, as long as that is under way.
   *  @type {string | null} */
  sought = null;

  /** @param {import("./card.js").Card} card */
  constructor(card) {
    const { id, kind } = card;
    this.card = card;
    this.seek = make("input", {
      type: "range", max: 1, step: "any", tabindex: -1, disabled: "",
      "aria-label": words("Seek {id}", { id }), input: () => this.seekTo(),
      // What was sought at one go is taken back at one go.
      change: () => {
        this.before = undefined;
      },
    });
    this.seek.hidden = kind === "schedule";
    const names = kind === "schedule" ? ["pause", "resume", "cancel", "more"] : Object.keys(SIGNS);
    const buttons = names.map((name) => {
      const title = words(name[0].toUpperCase() + name.slice(1));
      const attributes = { name, title, tabindex: -1, "aria-label": `${title} ${id}` };
      const sign = drawing("0 0 16 16", SIGNS[name]);
      return make("button", { ...attributes, click: () => this.act(name) }, sign);
    });
    this.more = buttons.at(-1);
    this.element = make("div", { class: "tools", role: "group", "aria-label": words("Tools of {id}", { id }) },
      this.seek, ...buttons);
  }

  /** @param {string} name */
  async act(name) {
    const { card } = this;
    if (name === "more") return openMenu(card, this.more);
    const before = this.motion;
    const isLast = name === "delete" || (name === "cancel" && card.kind === "schedule");
    const question = words("Delete {id}?", { id: card.id });
    if (isLast && !(await ask(question, "Delete"))) return;
    card.take(
      await send(isLast ? "DELETE" : "POST", pathOf(card.key) + (isLast ? "" : `/${name}`))
    );
    if (name === "finish" || name === "cancel") this.offerUndo(before);
  }

  /** What is under way, and for how long it has been; nothing where the number rests.
   *  @returns {import("./undo.js").Before | undefined} */
  get motion() {
    const { resource, takenAt, isOut, animation } = this.card;
    const { elapsed, state, rate = 1 } = resource?.motion ?? {};
    if (!isOut || elapsed === undefined || resource.animation !== animation) return undefined;
    const passed = state === "running" ? ((feedFrom().now() - takenAt) / 1000) * rate : 0;
    return { resource, seconds: elapsed + passed };
  }

  /** @param {import("./undo.js").Before | undefined} before */
  async offerUndo(before) {
    if (before) (await import("./lazy.js")).offerUndo(this.card, before);
  }

  /** Moves the handle on from what the server told, while the card is looked at. */
  follow() {
    const { resource, takenAt, doing, isLooked } = this.card;
    const isOnItsWay = doing === "moving" || doing === "paused";
    if (this.seek.disabled === isOnItsWay) this.seek.disabled = !isOnItsWay;
    // A handle that nobody sees costs a layout each time it moves.
    if (!resource?.motion || !isLooked) return;
    const { fraction = 1, end, state } = resource.motion;
    const left = Date.parse(end) - takenAt;
    const isRunning = state === "running" && left > 0;
    const gone = isRunning ? Math.min(1, (feedFrom().now() - takenAt) / left) : 0;
    if (!this.sought && !this.seek.matches(":active")) {
      const place = isOnItsWay ? fraction + (1 - fraction) * gone : 1;
      this.seek.value = place;
      this.seek.setAttribute("aria-valuetext", `${Math.round(place * 100)} %`);
    }
    this.stop();
    if (isOnItsWay && gone < 1 && state === "running") {
      this.next = requestAnimationFrame(() => this.follow());
    }
  }

  /** Where what was pressed has gone, as *pause* does, the focus goes to what came in its place. */
  keepFocus() {
    const focused = document.activeElement;
    if (!focused || !this.element.contains(focused) || focused.checkVisibility()) return;
    const next = focused.matches("[name=pause]") ? "resume" : "pause";
    this.element.querySelector(`[name=${next}]`)?.focus();
  }

  stop() {
    if (this.next !== undefined) cancelAnimationFrame(this.next);
  }

  /** Seeks by one request at a time, the last one always. */
  async seekTo() {
    this.card.turn = null;
    if (this.sought) return;
    const before = (this.before ??= this.motion);
    let resource;
    while (this.sought !== this.seek.value) {
      this.sought = this.seek.value;
      resource = await send(
        "POST", `${pathOf(this.card.key)}/seek`, { fraction: +Number(this.sought).toFixed(4) }
      );
    }
    this.sought = null;
    this.card.take(resource);
    this.offerUndo(before);
  }
}
