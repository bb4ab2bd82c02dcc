// One card of the board: a live component, what can be done with it, and a handle to seek by.
import { pathOf, read, send } from "./client.js";
import { make, svg } from "./element.js";
import { feedFrom } from "./feed.js";
import { Motion } from "./motion.js";

/** What can be done with a card, with the path of its sign. */
const OPERATIONS = {
  pause: "M4 3h3v10H4zM9 3h3v10H9z", resume: "M4 2.5v11l9-5.5z", finish: "M2 3v10l7-5zM10 3h3v10h-3z",
  cancel: "M3.5 3.5h9v9h-9z", delete: "M3 4.4 4.4 3 8 6.6 11.6 3 13 4.4 9.4 8 13 11.6 11.6 13 8 9.4 4.4 13 3 11.6 6.6 8z",
};

export class Card {
  constructor(key) {
    this.key = key;
    [this.kind] = key.split(":", 1);
    this.id = key.slice(this.kind.length + 1);
    this.view = make(`tween-${this.kind}`, { src: pathOf(key), rate: "" });
    this.pick = make("input", { type: "checkbox", class: "pick", "aria-label": `Select ${this.id}` });
    this.detail = make("p", { class: "detail" });
    this.seek = make("input", { type: "range", class: "seek", min: "0", max: "1", step: "any", "aria-label": `Seek ${this.id}` });
    this.tools = make("div", { class: "tools" }, this.kind === "schedule" ? "" : this.seek, ...this.buttons());
    this.element = make("article", { class: `card ${this.kind}`, "data-key": key, "aria-label": this.id },
      make("header", {}, this.pick, make("h3", { dir: "auto" }, this.id), make("span", { class: "kind" }, this.kind)),
      this.view, this.detail, this.tools);
    this.seek.addEventListener("input", () => this.seekTo(+this.seek.value));
    for (const name of ["pointerenter", "focusin"]) this.element.addEventListener(name, () => this.refresh());
  }

  buttons() {
    return Object.entries(OPERATIONS).filter(([name]) => this.kind !== "schedule" || !/finish|delete/.test(name))
      .map(([name, d]) => make("button", { type: "button", "data-op": name, title: name, "aria-label": `${name} ${this.id}` },
        svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d }))));
  }

  /** Wheels for short texts where there is room for them; long ones are drawn as text, and smaller. */
  frame(data) {
    const length = [...data.text].length;
    const size = length < 9 ? "s" : length < 16 ? "m" : length < 30 ? "l" : "xl";
    if (size !== this.size) this.element.dataset.size = this.size = size;
    if (data.value !== this.value) this.element.dataset.state ||= "running";
    this.value = data.value;
  }

  event(name) {
    const state = { complete: "resting", paused: "paused", resumed: "running" }[name];
    if (state) this.element.dataset.state = state;
    if (this.motion) this.refresh();
  }

  /** Asks for the whole resource: appearance, motion, what comes next. */
  async refresh() {
    if (this.asking) return;
    this.asking = true;
    this.take(await read(pathOf(this.key)));
    this.asking = false;
  }

  take(resource) {
    if (!resource) return;
    this.resource = resource;
    const state = resource.state ?? resource.motion?.state;
    this.element.dataset.state = state === "finished" || state === "idle" ? "resting" : state ?? "resting";
    if (this.kind === "progress") this.view.appearance = resource.appearance;
    if (this.kind === "schedule") this.plan(resource);
    else if (resource.motion?.start) {
      this.motion = new Motion(resource);
      this.follow();
    }
  }

  /** A schedule's rhythm and its next times. */
  plan({ every, count, due, do: actions = [] }) {
    const next = [0, 1, 2].map((n) => new Date(Date.parse(due) + n * 1000 * every)).filter((time) => !isNaN(time));
    const times = (next.length ? next : [new Date(due)]).map((time) => time.toLocaleTimeString());
    const what = actions.map((action) => action.ticker ?? action.progress ?? action.notify ?? "webhook");
    this.detail.textContent = [
      every && `every ${every}${typeof every === "number" ? " s" : ""}`, count && `${count} times`, `at ${times.join(", ")}`,
      what.length && `→ ${what.join(", ")}`,
    ].filter(Boolean).join(" · ");
  }

  /** Moves the handle with the motion while it is looked at. */
  follow() {
    cancelAnimationFrame(this.next);
    const { share, done } = this.motion.sample(feedFrom().now());
    if (!this.seek.matches(":active")) this.seek.value = share;
    const looked = this.element.matches(":hover, :focus-within");
    if (!done && looked) this.next = requestAnimationFrame(() => this.follow());
  }

  /** Seeks while the handle is dragged, one request at a time, the last one always. */
  async seekTo(fraction) {
    this.wanted = fraction;
    if (this.seeking) return;
    this.seeking = true;
    while (this.wanted !== null) {
      const next = this.wanted;
      this.wanted = null;
      await send("POST", `${pathOf(this.key)}/seek`, { fraction: +next.toFixed(4) });
    }
    this.seeking = false;
  }

  act(op) {
    if (op === "delete" || (op === "cancel" && this.kind === "schedule")) return send("DELETE", pathOf(this.key));
    return send("POST", `${pathOf(this.key)}/${op}`).then((resource) => this.take(resource));
  }
}
