// A card: what one resource shows now, how it got there, and what can be done with it.
import { parts, pathOf, read, readHistory } from "./client.js";
import { drawing, make, write } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { changeOf, forget, pointsOf, record, remember, rested, sparkline } from "./value-history.js";
import { Legs } from "./iterations.js";
import { planOf } from "./schedule-summary.js";
import { addressOf } from "./base-url.js";
import { Tools } from "./card-tools.js";
import { age, change, decimalsOf, local, towards, words } from "./i18n.js";

/** The icon of each kind.
 *  @type {Record<string, string>} */
const KINDS = {
  ticker: "M2 3h5v10H2zM9 3h5v10H9zM4 8h1M11 8h1",
  progress: "M1.500 6h13v4h-13zM2 8h6",
  schedule: "M8 2a6 6 0 1 1-.01 0M8 4.500v4l2.500 1.500",
};

/** Milliseconds between two questions about one resource. */
const ASKING = 2000;
/** Milliseconds between two drawings of a sparkline. */
const DRAWING = 1000;
/** Milliseconds after the last change of a progress in which it counts as moving: it may come in
 *  steps. */
const MOVING = 1200;
/** Milliseconds after which the change of a number that goes over and over is written anew. */
const WRITING = 100;
/** The most pixels of what a progress asks for: a card is about as high as the others, and all of it
 *  is seen. */
const MOST = { height: 64, margin: 12, padding: 12 };
/** Characters from which a label is set in two lines. */
const LONG = 40;
/** Characters of little more than half a digit's width. */
const NARROW = /[\s.,:;'’|!]/g;

// What is out of sight is not drawn.
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    /** @type {any} */ (target).card.look(isIntersecting);
  }
});

export class Card {
  /** The newest frame.
   *  @type {any} */
  data = null;
  /** The resource as it was last read.
   *  @type {any} */
  resource = null;
  /** When that was, in milliseconds of the server's clock. */
  takenAt = 0;
  isPaused = false;
  isSeen = false;
  /** Whether a motion is under way. */
  isOut = false;
  /** Milestones of the present motion, crossed ones too.
   *  @type {Set<number>} */
  milestones = new Set();
  length = 0;

  /** @param {string} key such as `ticker:revenue` */
  constructor(key) {
    const [kind, id] = parts(key);
    this.key = key;
    this.kind = kind;
    this.id = id;
    this.born = 0;
    this.view = make(`tween-${kind}`, { src: addressOf(pathOf(key)), wheels: "" });
    this.title = make("h3", { title: id }, id);
    this.state = make("span", { class: "state" });
    this.pick = make("input", {
      type: "checkbox", class: "pick", tabindex: -1, "aria-label": words("Select {id}", { id }),
    });
    this.delta = make("span", { class: "delta" });
    this.note = make("span", { class: "note" });
    this.unit = make("span", { class: "unit" });
    this.line = drawing("0 0 100 24", "");
    this.line.classList.add("spark");
    this.line.setAttribute("preserveAspectRatio", "none");
    this.tools = new Tools(this);
    const icon = drawing("0 0 16 16", KINDS[kind]);
    icon.classList.add("kind");
    this.element = make("article", {
      class: "card", "data-key": key, "data-kind": kind, tabindex: -1,
      "aria-label": `${id}, ${words(kind)}`,
    },
    make("header", {}, icon, this.title, this.state), make("div", { class: "stage" }, this.view),
    make("p", { class: "meta" }, this.delta, this.note, this.unit),
    this.line, this.pick, this.tools.element);
    /** @type {any} */ (this.element).card = this;
    for (const name of ["pointerenter", "focusin"]) {
      this.element.addEventListener(name, () => this.refresh());
    }
    // A bar is not shown before it is known whether it is one.
    if (kind === "progress") this.view.classList.add("waiting");
    this.view.unseen = true;
    sight.observe(this.element);
  }

  /** @param {boolean} isSeen whether it is in the window */
  look(isSeen) {
    this.isSeen = isSeen;
    this.view.unseen = !isSeen;
    if (!isSeen) return;
    feedFrom().catchUp(this.key);
    this.view.draw();
    this.tell();
    if (!this.resource) this.refresh();
  }

  /** Is drawn once, seen or not: paper has all cards. */
  print() {
    const { isSeen } = this;
    this.look(true);
    this.look(isSeen);
  }

  /** Takes a frame; what is written beside the number follows at the board's slower beat.
   *  @param {any} data */
  frame(data) {
    const before = this.data;
    this.data = data;
    this.fit(data);
    if (this.kind === "schedule") return;
    const isMoving = this.isOut || data.display?.target !== undefined;
    if (this.legs) this.goOn(this.legs);
    if (!before || before.value !== data.value) {
      const now = performance.now();
      record(this.key, data.value, now);
      if (before) {
        this.changed = now;
        this.updated = Date.now();
        this.isPaused = false;
      } else if (!isMoving) rested(this.key, data.value);
    }
  }

  /** Takes note of where a motion begins: it may be elsewhere than the number rested. One that takes
   *  over from another goes on with its change.
   *  @param {any} event */
  setOut(event) {
    const { motion, animation } = event;
    if (!this.isOut) rested(this.key, motion.from);
    this.isOut = true;
    this.animation = animation;
    this.legs = Legs.isNeeded(motion) ? new Legs(event) : undefined;
    this.leg = undefined;
  }

  /** Follows a number that turns round: what stands beside it is of the way that it is on.
   *  @param {Legs} legs */
  goOn(legs) {
    const { leg } = this;
    this.leg = legs.at(feedFrom().now());
    const { from, to, iteration } = this.leg;
    // A frame may be older than the turn that the clock tells of: then it is the number that jumps.
    const hasJumped = Math.abs(this.data.value - (this.told ?? 0)) > Math.abs(to - from) / 8;
    const isDue = performance.now() - (this.toldAt ?? -WRITING) >= WRITING;
    if (leg?.iteration !== iteration || hasJumped || isDue) this.tell();
  }

  /** Sets the number in a size that its longest text fits in: that of its target, as soon as it
   *  sets out. What comes to one character more or two less, as a spring's overshoot does, changes
   *  nothing.
   *  @param {any} data */
  fit({ text, display }) {
    const { value = "", target } = display ?? {};
    const longest = Math.max(text.length, target ? text.length - value.length + target.length : 0);
    if (longest <= this.length + 1 && longest >= this.length - 2) return;
    if (target && longest < this.length) return;
    this.length = longest;
    const narrow = text.match(NARROW)?.length ?? 0;
    this.element.style.setProperty("--length", `${longest - narrow * 0.4}`);
    this.element.style.setProperty("--number", `${Math.max(value.length, target?.length ?? 0)}`);
    this.element.classList.toggle("long", this.kind === "ticker" && longest > LONG);
  }

  /** @param {any} data
   *  @param {string} name */
  event(data, name) {
    if (name === "paused" || name === "resumed") this.isPaused = name === "paused";
    if (name === "milestone") this.milestones.add(data.value);
    if (name === "complete") {
      this.isRunning = false;
      this.isPaused = false;
      if (data.reason !== "superseded") {
        this.isOut = false;
        this.legs = this.leg = undefined;
        // It goes nowhere any more; the frame that tells so may be late.
        if (this.kind === "ticker") this.data = { ...this.data, display: undefined };
        rested(this.key, data.value);
        this.changed = undefined;
        this.updated = Date.now();
      }
    }
    this.tell();
  }

  /** Asks for the whole resource, for what no frame has: once when it is first seen, then while it
   *  is looked at, and never more than once in two seconds. */
  async refresh() {
    if (this.isAsked || performance.now() - (this.askedAt ?? -ASKING) < ASKING) return;
    this.isAsked = true;
    this.askedAt = performance.now();
    const turn = (this.turn = {});
    const resource = await read(this.key);
    this.isAsked = false;
    // An answer to something that was done meanwhile is newer.
    if (turn === this.turn) this.take(resource);
    this.view.classList.remove("waiting");
    if (resource) this.recall(resource);
  }

  /** Asks once for what was before this page, of what has been updated more than once.
   *  @param {any} resource */
  async recall({ revision }) {
    if (this.isRecalled || this.kind === "schedule" || revision === "1") return;
    this.isRecalled = true;
    const points = await readHistory(this.key).catch(() => undefined);
    if (!points) return;
    const start = performance.now() - feedFrom().now();
    const past = points.map(({ at, value }) => ({ time: start + Date.parse(at), value }));
    // The last is where the number goes: on its way it isn't there yet.
    remember(this.key, this.isOut ? past.slice(0, -1) : past);
    this.drawnAt = undefined;
    this.tell();
  }

  /** Takes a resource as the server tells it.
   *  @param {any} resource */
  take(resource) {
    this.turn = null;
    if (!resource) return;
    const { motion, appearance, definition, format } = resource;
    const isNew = this.resource?.animation !== resource.animation;
    this.resource = resource;
    this.takenAt = feedFrom().now();
    if (this.kind === "progress") {
      const looks = { ...appearance };
      for (const [name, most] of Object.entries(MOST)) if (looks[name] > most) looks[name] = most;
      this.view.appearance = looks;
      // What its text has the width for.
      this.element.classList.toggle("round", this.view.shape !== "bar");
      this.element.classList.toggle("beside", /left|right/.test(this.view.body?.className));
    }
    this.isRunning = motion?.state === "running";
    this.isPaused = (motion ?? resource).state === "paused";
    if (isNew) this.milestones = new Set(definition?.milestones);
    for (const milestone of motion?.milestones ?? []) this.milestones.add(milestone);
    write(this.unit, format?.unit ?? format?.currency ?? "");
    this.tools.follow();
    this.tell();
  }

  /** What it does now, as the card's attribute `data-state` has it. */
  get doing() {
    if (this.kind === "schedule") return this.data?.state === "paused" ? "paused" : "";
    if (this.isPaused) return "paused";
    const { display } = this.data ?? {};
    if (this.kind === "ticker") return display?.target === undefined ? "" : "moving";
    // A motion of its own is known to go on, however its rate is judged.
    if (this.isRunning || performance.now() - (this.changed ?? -MOVING) < MOVING) return "moving";
    return /stalled|done/.exec(display?.state)?.[0] ?? "";
  }

  /** How far its milestones are passed: "", `warning` from the first on, `danger` from the last of
   *  several. */
  get level() {
    const all = [...this.milestones].sort((a, b) => a - b);
    const passed = all.filter((milestone) => this.data?.value >= milestone).length;
    if (!passed) return "";
    return all.length > 1 && passed === all.length ? "danger" : "warning";
  }

  /** What its line is drawn from. */
  get points() {
    return pointsOf(this.key);
  }

  get isLooked() {
    return this.element.matches(":hover, :focus-within");
  }

  /** Writes what stands beside the number. */
  tell() {
    if (!this.data || !this.isSeen) return;
    const { doing, element: { dataset } } = this;
    const { level } = this;
    if (dataset.state !== doing) {
      dataset.state = doing;
      this.tools.keepFocus();
    }
    if (dataset.level !== level) dataset.level = level;
    write(this.state, doing && doing !== "moving" ? words(doing) : "");
    if (this.data.text.length > LONG) this.view.title = this.data.text;
    if (this.kind === "schedule") write(this.note, planOf(this.data, this.resource));
    else this.tellMotion(doing === "moving");
    this.tools.follow();
    if (doing === "moving" && this.isLooked) this.refresh();
  }

  /** @param {boolean} isMoving */
  tellMotion(isMoving) {
    const { value, text, display = {} } = this.data;
    const { leg, legs } = this;
    this.toldAt = performance.now();
    this.told = value;
    const difference = leg && legs?.isCyclic ? value - leg.from
      : changeOf(this.key, value, isMoving || this.isOut);
    const decimals = decimalsOf(display.value ?? text, value);
    write(this.delta, difference ? change(difference, decimals) : "");
    const tone = `${Math.sign(difference ?? 0)}`;
    if (this.delta.dataset.tone !== tone) this.delta.dataset.tone = tone;
    const { rate, eta } = display;
    const target = leg && display.target ? legs?.textOf(leg.to, this.data) : display.target;
    const way = [
      target && towards(target),
      rate && words("{rate}/s", { rate: local(rate) }),
      eta && words("{eta} left", { eta }),
    ].filter(Boolean).join(" · ");
    const passed = this.updated ? age(Date.now() - this.updated) : "";
    write(this.note, isMoving ? way : passed);
    const now = performance.now();
    if (now - (this.drawnAt ?? -DRAWING) < DRAWING) return;
    this.drawnAt = now;
    const path = sparkline(this.points, 100, 24);
    const { firstChild } = this.line;
    if (firstChild.getAttribute("d") !== path) firstChild.setAttribute("d", path);
  }

  /** Goes, for good. */
  remove() {
    sight.unobserve(this.element);
    this.tools.stop();
    this.element.remove();
    forget(this.key);
  }
}
