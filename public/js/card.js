// A card: what one resource shows, how it got there, and what can be done with it.
import { urlFor } from "./base-url.js";
import { CardTools } from "./card-tools.js";
import { fetchHistory, fetchResource, pathOf, splitKey } from "./client.js";
import { make, setText, svg } from "./dom.js";
import { feedFrom } from "./feed.js";
import { arrowTo, decimalsOf, formatAge, formatChange, formatNumber, translate } from "./i18n.js";
import { Iterations } from "./iterations.js";
import { scheduleSummary } from "./schedule-summary.js";
import { changeSinceRest, forgetHistory, pointsOf, prependHistory, recordRest, recordValue, sparkline } from "./value-history.js";

/** The icon of each kind.
 *  @type {Record<string, string>} */
const KINDS = {
  ticker: "M2 3h5v10H2zM9 3h5v10H9zM4 8h1M11 8h1",
  progress: "M1.500 6h13v4h-13zM2 8h6",
  schedule: "M8 2a6 6 0 1 1-.01 0M8 4.500v4l2.500 1.500",
};

/** Milliseconds that the details of a card wait for the numbers of the others. */
const DETAILS_DELAY = 600;
/** Milliseconds between two requests for one resource. */
const FETCH_INTERVAL = 2000;
/** Milliseconds between two drawings of a sparkline. */
const DRAW_INTERVAL = 1000;
/** Milliseconds after its last change in which a progress counts as moving: it may change in steps. */
const STALL_TIME = 1200;
/** Milliseconds between two updates of the change of a number that repeats. */
const DETAILS_INTERVAL = 100;
/** The most pixels that a progress gets of what its appearance asks for, so that its card is as high as others. */
const MAX_LOOKS = { height: 64, margin: 12, padding: 12 };
/** Characters from which a label has two lines. */
const LONG = 40;
/** Characters about half as wide as a digit. */
const NARROW = /[\s.,:;'’|!]/g;

// Off-screen cards are not drawn.
const visibility = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    /** @type {any} */ (target).card.setVisible(isIntersecting);
  }
});

export class Card {
  /** The newest frame.
   *  @type {any} */
  data = null;
  /** The resource as it was last fetched.
   *  @type {any} */
  resource = null;
  /** When it was fetched, in milliseconds of the server's clock. */
  receivedAt = 0;
  isPaused = false;
  isVisible = false;
  /** Whether a motion is under way. */
  isInMotion = false;
  /** The milestones of the present motion, crossed ones included.
   *  @type {Set<number>} */
  #milestones = new Set();
  length = 0;
  /** What a number that repeats or turns back does.
   *  @type {Iterations | undefined} */
  #iterations;
  /** When the number last changed in this motion, in milliseconds of the page, and of the clock. */
  #changed = -Infinity;
  #updated = 0;
  /** When the details were last updated, and the number that they belong to. */
  #detailsAt = -Infinity;
  #detailsValue = 0;
  #drawnAt = -Infinity;
  #isFetching = false;
  #fetchedAt = -Infinity;
  #isHistoryLoaded = false;
  /** Whether the server last said that a motion is running. */
  #isRunning = false;

  /** @param {string} key such as `ticker:revenue` */
  constructor(key) {
    const [kind, id] = splitKey(key);
    this.key = key;
    this.kind = kind;
    this.id = id;
    this.firstSeen = 0;
    this.view = make(`tween-${kind}`, { src: urlFor(pathOf(key)), wheels: "" });
    this.title = make("h3", { title: id }, id);
    this.state = make("span", { class: "state" });
    this.pick = make("input", {
      type: "checkbox", class: "pick", tabindex: -1, "aria-label": translate("Select {id}", { id }),
    });
    this.delta = make("span", { class: "delta" });
    this.note = make("span", { class: "note" });
    this.unit = make("span", { class: "unit" });
    this.line = svg("0 0 100 24", "");
    this.line.classList.add("spark");
    this.line.setAttribute("preserveAspectRatio", "none");
    this.tools = new CardTools(this);
    const icon = svg("0 0 16 16", KINDS[kind]);
    icon.classList.add("kind");
    this.element = make("article", {
      class: "card", "data-key": key, "data-kind": kind, tabindex: -1,
      "aria-label": `${id}, ${translate(kind)}`,
    },
    make("header", {}, icon, this.title, this.state), make("div", { class: "stage" }, this.view),
    make("p", { class: "meta" }, this.delta, this.note, this.unit),
    this.line, this.pick, this.tools.element);
    /** @type {any} */ (this.element).card = this;
    for (const name of ["pointerenter", "focusin"]) {
      this.element.addEventListener(name, () => this.refresh());
    }
    // A progress is hidden until its shape is known.
    if (kind === "progress") {
      this.view.classList.add("waiting");
      // Comes with the resource, which the card requests.
      this.view.appearance = {};
    }
    this.view.skipsDrawing = true;
    visibility.observe(this.element);
  }

  /** @param {boolean} isVisible whether the card is in the window */
  setVisible(isVisible) {
    this.isVisible = isVisible;
    this.view.skipsDrawing = !isVisible;
    if (!isVisible) return;
    feedFrom().catchUp(this.key);
    this.view.draw();
    this.updateDetails();
    if (this.resource) return;
    // The shape of a progress is awaited; other details wait until the numbers are there.
    if (this.kind === "progress") this.refresh();
    else setTimeout(() => this.isVisible && !this.resource && this.refresh(), DETAILS_DELAY);
  }

  /** Draws the card once even if it is off-screen: paper shows all cards. */
  print() {
    const { isVisible } = this;
    this.setVisible(true);
    this.setVisible(isVisible);
  }

  /** Receives a frame. The details follow with the board's slower interval.
   *  @param {any} data */
  frame(data) {
    const before = this.data;
    this.data = data;
    this.#fitText(data);
    if (this.kind === "schedule") return;
    const isMoving = this.isInMotion || data.display?.target !== undefined;
    if (this.#iterations) this.#followIterations(this.#iterations);
    if (!before || before.value !== data.value) {
      const now = performance.now();
      recordValue(this.key, data.value, now);
      if (before) {
        this.#changed = now;
        this.#updated = Date.now();
        this.isPaused = false;
      } else if (!isMoving) recordRest(this.key, data.value);
    }
  }

  /** Records where a motion begins, which may not be where the number rested. A motion that takes over from
   *  another continues its change.
   *  @param {any} event */
  startMotion(event) {
    const { motion, animation } = event;
    if (!this.isInMotion) recordRest(this.key, motion.from);
    this.isInMotion = true;
    this.animation = animation;
    this.#iterations = Iterations.isNeeded(motion) ? new Iterations(event) : undefined;
    this.iteration = undefined;
  }

  /** Follows a number that repeats or turns back: its details are those of the present iteration.
   *  @param {Iterations} iterations */
  #followIterations(iterations) {
    const previous = this.iteration;
    this.iteration = iterations.at(feedFrom().now());
    const { from, to, index } = this.iteration;
    // A frame may be older than the clock's iteration: then the number jumps instead.
    const hasJumped = Math.abs(this.data.value - this.#detailsValue) > Math.abs(to - from) / 8;
    const isDue = performance.now() - this.#detailsAt >= DETAILS_INTERVAL;
    if (previous?.index !== index || hasJumped || isDue) this.updateDetails();
  }

  /** Sets the number in a size that fits its longest text: that of its target, as soon as it starts. A text that is
   *  one character longer or two shorter, as with a spring's overshoot, changes nothing.
   *  @param {any} data */
  #fitText({ text, display }) {
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
    if (name === "milestone") this.#milestones.add(data.value);
    if (name === "complete") {
      this.#isRunning = false;
      this.isPaused = false;
      if (data.reason !== "superseded") {
        this.isInMotion = false;
        this.#iterations = this.iteration = undefined;
        // The number has no target any more, but the frame that says so may be late.
        if (this.kind === "ticker") this.data = { ...this.data, display: undefined };
        recordRest(this.key, data.value);
        this.#changed = -Infinity;
        this.#updated = Date.now();
      }
    }
    this.updateDetails();
  }

  /** Fetches the resource for what no frame has: when the card is first seen, then while it has attention, at most
   *  once in two seconds. */
  async refresh() {
    if (this.#isFetching || performance.now() - this.#fetchedAt < FETCH_INTERVAL) return;
    this.#isFetching = true;
    this.#fetchedAt = performance.now();
    const turn = (this.fetchID = {});
    const resource = await fetchResource(this.key);
    this.#isFetching = false;
    // The answer to a later action is newer.
    if (turn === this.fetchID) this.receiveResource(resource);
    this.view.classList.remove("waiting");
    if (resource) this.#loadHistory(resource);
  }

  /** Fetches the history once, if the resource has been updated more than once.
   *  @param {any} resource */
  async #loadHistory({ revision }) {
    if (this.#isHistoryLoaded || this.kind === "schedule" || revision === "1") return;
    this.#isHistoryLoaded = true;
    const points = await fetchHistory(this.key).catch(() => undefined);
    if (!points) return;
    const start = performance.now() - feedFrom().now();
    const past = points.map(({ at, value }) => ({ time: start + Date.parse(at), value }));
    // The last point is the motion's target, which the number hasn't reached yet.
    prependHistory(this.key, this.isInMotion ? past.slice(0, -1) : past);
    this.#drawnAt = -Infinity;
    this.updateDetails();
  }

  /** Receives the resource from the server.
   *  @param {any} resource */
  receiveResource(resource) {
    this.fetchID = null;
    if (!resource) return;
    const { motion, appearance, definition, format } = resource;
    const isNew = this.resource?.animation !== resource.animation;
    this.resource = resource;
    this.receivedAt = feedFrom().now();
    if (this.kind === "progress") {
      const looks = { ...appearance };
      for (const [name, most] of Object.entries(MAX_LOOKS)) if (looks[name] > most) looks[name] = most;
      this.view.appearance = looks;
      // Styles reserve room for the text by these.
      this.element.classList.toggle("round", this.view.shape !== "bar");
      this.element.classList.toggle("beside", /left|right/.test(this.view.body?.className));
    }
    this.#isRunning = motion?.state === "running";
    this.isPaused = (motion ?? resource).state === "paused";
    // One with actions is an object.
    if (isNew) this.#milestones = new Set(definition?.milestones?.map((/** @type {any} */ one) => Number(one.at ?? one)));
    for (const milestone of motion?.milestones ?? []) this.#milestones.add(milestone);
    setText(this.unit, format?.unit ?? format?.currency ?? "");
    this.tools.updateHandle();
    this.updateDetails();
  }

  /** What the number does, for `data-state`. */
  get activity() {
    if (this.kind === "schedule") return /paused|ended/.exec(this.data?.state)?.[0] ?? "";
    if (this.isPaused) return "paused";
    const { display } = this.data ?? {};
    if (this.kind === "ticker") return display?.target === undefined ? "" : "moving";
    // A running motion counts as moving even if its rate has stalled.
    if (this.#isRunning || performance.now() - this.#changed < STALL_TIME) return "moving";
    return /stalled|done/.exec(display?.state)?.[0] ?? "";
  }

  /** The milestones passed: "", `warning` from the first on, `danger` from the last of several. */
  get #milestoneLevel() {
    const all = [...this.#milestones].sort((a, b) => a - b);
    const passed = all.filter((milestone) => this.data?.value >= milestone).length;
    if (!passed) return "";
    return all.length > 1 && passed === all.length ? "danger" : "warning";
  }

  /** The points of its sparkline. */
  get points() {
    return pointsOf(this.key);
  }

  get hasAttention() {
    return this.element.matches(":hover, :focus-within");
  }

  /** Updates what stands beside the number. */
  updateDetails() {
    if (!this.data || !this.isVisible) return;
    const { activity, element: { dataset } } = this;
    const milestoneLevel = this.#milestoneLevel;
    if (dataset.state !== activity) {
      dataset.state = activity;
      this.tools.keepFocus();
    }
    if (dataset.level !== milestoneLevel) dataset.level = milestoneLevel;
    setText(this.state, activity && activity !== "moving" ? translate(activity) : "");
    if (this.data.text.length > LONG) this.view.title = this.data.text;
    if (this.kind === "schedule") setText(this.note, scheduleSummary(this.data, this.resource));
    else this.#updateMotionDetails(activity === "moving");
    this.tools.updateHandle();
    if (activity === "moving" && this.hasAttention) this.refresh();
  }

  /** @param {boolean} isMoving */
  #updateMotionDetails(isMoving) {
    const { value, text, display = {} } = this.data;
    const { iteration } = this;
    const iterations = this.#iterations;
    this.#detailsAt = performance.now();
    this.#detailsValue = value;
    const difference = iteration && iterations?.isCyclic ? value - iteration.from
      : changeSinceRest(this.key, value, isMoving || this.isInMotion);
    const decimals = decimalsOf(display.value ?? text, value);
    setText(this.delta, difference ? formatChange(difference, decimals) : "");
    const tone = `${Math.sign(difference ?? 0)}`;
    if (this.delta.dataset.tone !== tone) this.delta.dataset.tone = tone;
    const { rate, eta } = display;
    const target = iteration && display.target ? iterations?.textOf(iteration.to, this.data) : display.target;
    const way = [
      target && arrowTo(target),
      rate && translate("{rate}/s", { rate: formatNumber(rate) }),
      eta && translate("{eta} left", { eta }),
    ].filter(Boolean).join(" · ");
    const passed = this.#updated ? formatAge(Date.now() - this.#updated) : "";
    setText(this.note, isMoving ? way : passed);
    const now = performance.now();
    if (now - this.#drawnAt < DRAW_INTERVAL) return;
    this.#drawnAt = now;
    const path = sparkline(this.points, 100, 24);
    const { firstChild } = this.line;
    if (firstChild.getAttribute("d") !== path) firstChild.setAttribute("d", path);
  }

  /** Removes the card for good. */
  remove() {
    visibility.unobserve(this.element);
    this.tools.stop();
    this.element.remove();
    forgetHistory(this.key);
  }
}
