// The first screen: one number on its way, its curve, the request that moved it, and controls that send another.
import { urlFor } from "./base-url.js";
import { curlLine, pathOf, send, splitKey } from "./client.js";
import { copy } from "./clipboard.js";
import { make } from "./dom.js";
import { easingName } from "./easing.js";
import { feedFrom } from "./feed.js";
import { HeroControls } from "./hero-controls.js";
import { HeroPlot } from "./hero-plot.js";
import { translate } from "./i18n.js";
import { defaultPace, followPace, setPace } from "./pace.js";
import { writeURLState } from "./url-state.js";

/** The ticker that the controls move. They never touch another. */
const OWN = "ticker:hello";
/** Shown by first-paint.js already, so it is preferred to others that move. */
const EARLY = "ticker:preset-ease-out";
/** Milliseconds that a number stays after it has come to rest, though another moves. */
const STAY = 6000;
/** The key that marks a returning visitor, whose browser has the scripts. */
const SEEN = "tweencast.seen";
const FOLDED = "tweencast.folded";

/** The body of a request that causes a motion like this one.
 *  @param {string} key
 *  @param {any} motion of a `motion` event */
function requestOf(key, { from, to, duration, easing = "linear", spring, delay, iterations = 1, direction, repeatDelay }) {
  const alternates = direction === "alternate";
  const cycles = alternates ? iterations / 2 : iterations;
  return {
    ...(iterations !== 1 && { from }),
    [key.startsWith("progress:") ? "current" : "to"]: to,
    ...(spring ? { spring } : { duration, easing: easingName(easing) }),
    ...(delay && { delay }),
    ...(alternates && { autoreverse: true }),
    ...(iterations === "forever" ? { repeat: iterations } : cycles > 1 && { repeat: cycles - 1 }),
    ...(repeatDelay && { repeatDelay }),
  };
}

class Hero {
  /** The number shown. */
  #key = OWN;
  /** Whether the key's motion is under way; when it came to rest. */
  #isMoving = false;
  #restedAt = -Infinity;
  /** Where the motion ends. */
  #target = NaN;
  /** Whether this page has sent the number somewhere. */
  #hasSent = false;
  /** The update that is sent when the answer to the present one has arrived. */
  #isSending = false;
  #isDue = false;
  #isVisible = true;
  /** The newest frame.
   *  @type {any} */
  #frame = null;
  /** The request of the line. */
  #request = { key: OWN, body: {} };
  #feed = feedFrom();
  #stopListening = () => {};
  #plot;
  #controls;
  #element;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#plot = new HeroPlot(this.#find(".plot"));
    const form = /** @type {HTMLFormElement} */ (this.#find("#send"));
    this.#controls = new HeroControls(form, () => this.#send(), () => this.#preview());
    this.#listen();
    this.#preview();
    const listener = {
      motion: (/** @type {any} */ { motion }, /** @type {string} */ key) => this.#receiveMotion(key, motion),
      event: (/** @type {any} */ data, /** @type {string} */ key, /** @type {string} */ name) => this.#receive(key, name, data),
      wants: { motion: true },
    };
    for (const kind of ["ticker", "progress"]) this.#feed.listen(`${kind}:*`, listener);
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.#isVisible = isIntersecting;
      this.#view.skipsDrawing = !isIntersecting;
      if (isIntersecting) this.#view.draw?.();
    }).observe(this.#find("#flight"));
    // Signing in changes the line.
    this.#feed.addEventListener("status", () => this.#writeLine());
  }

  /** @param {string} selector
   *  @returns {any} */
  #find(selector) {
    return this.#element.querySelector(selector);
  }

  get #view() {
    return this.#find(".big").firstElementChild;
  }

  // What moves

  #listen() {
    const [kind] = splitKey(this.#key);
    const src = urlFor(pathOf(this.#key));
    const isSame = this.#view.localName === `tween-${kind}` && this.#view.getAttribute("src") === src;
    if (!this.#view.src && kind === "ticker") this.#view.setAttribute("src", src);
    else if (!isSame) {
      const view = make(`tween-${kind}`, { src, "title-direction": "top" }, "0");
      view.skipsDrawing = !this.#isVisible;
      this.#find(".big").replaceChildren(view);
    }
    this.#frame = null;
    this.#stopListening();
    this.#stopListening = this.#feed.listen(this.#key, {
      frame: (data) => this.#show(data),
      isOffscreen: () => !this.#isVisible,
    });
  }

  /** Tells the controls where the number is. */
  #updateState() {
    const { to } = this.#controls.update;
    const goal = this.#isMoving ? this.#target : this.#frame?.value;
    this.#controls.setState(this.#key !== OWN || goal !== to ? "away" : this.#isMoving ? "underway" : "there");
  }

  /** @param {any} data */
  #show(data) {
    const isFirst = !this.#frame;
    this.#frame = data;
    if (isFirst) this.#element.removeAttribute("data-absent");
    const { text, display: { value = "", target = "" } = {} } = data;
    const length = Math.max(text.length, text.length - value.length + target.length);
    this.#find(".big").style.setProperty("--length", `${Math.max(3, length)}`);
    if (this.#isMoving) this.#plot.move(this.#feed.now());
    if (!this.#isMoving) this.#updateState();
  }

  /** @param {string} key
   *  @param {any} motion */
  #receiveMotion(key, motion) {
    if (key !== this.#key && !this.#mayGive(key)) return;
    this.#follow(key, motion);
  }

  /** Whether another number may take the place of this one.
   *  @param {string} key */
  #mayGive(key) {
    if (this.#hasSent) return false;
    if (key === OWN || (key === EARLY && this.#key !== OWN)) return true;
    return !this.#isMoving && performance.now() - this.#restedAt > STAY;
  }

  /** @param {string} key
   *  @param {any} motion */
  #follow(key, motion) {
    this.#isMoving = true;
    this.#target = motion.to;
    if (key !== this.#key) {
      this.#key = key;
      this.#listen();
    }
    this.#plot.follow(motion, this.#feed.now());
    if (key !== OWN || !this.#hasSent) this.#setLine(key, requestOf(key, motion));
    this.#updateState();
  }

  /** @param {string} key
   *  @param {string} name
   *  @param {any} data */
  #receive(key, name, data) {
    if (key !== this.#key) return;
    if (name === "removed") return this.#reset();
    if (name !== "complete" || data.reason === "superseded") return;
    this.#isMoving = false;
    this.#restedAt = performance.now();
    this.#plot.finish();
    this.#updateState();
  }

  /** The number was removed: shows another that moves, or what would be sent. */
  #reset() {
    this.#isMoving = this.#hasSent = false;
    this.#restedAt = -Infinity;
    const [other] = this.#feed.motions;
    if (other && other[0] !== this.#key) return this.#follow(other[0], other[1].motion);
    this.#key = OWN;
    this.#find(".big").replaceChildren(make("tween-ticker", {}, "0"));
    this.#element.toggleAttribute("data-absent", true);
    this.#listen();
    this.#preview();
    this.#updateState();
  }

  // What is sent

  /** Shows what would be sent. */
  #preview() {
    const { update } = this.#controls;
    const from = this.#key === OWN ? this.#frame?.value ?? 0 : 0;
    this.#setLine(OWN, update);
    this.#updateState();
    if (!this.#isMoving) this.#plot.preview({ duration: (update.spring?.response ?? 0) * 3, ...update, from: Number(from) });
  }

  /** Sends the update; while the answer is awaited, only the last of others. */
  async #send() {
    this.#isDue = true;
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#isDue) {
      this.#isDue = false;
      const { update } = this.#controls;
      this.#hasSent = true;
      if (this.#key !== OWN) {
        this.#key = OWN;
        this.#isMoving = false;
        this.#listen();
      }
      this.#setLine(OWN, update);
      this.#updateState();
      await send("POST", pathOf(OWN), update, true);
    }
    this.#isSending = false;
  }

  /** @param {string} key
   *  @param {object} body */
  #setLine(key, body) {
    this.#request = { key, body };
    this.#writeLine();
  }

  /** Writes the request's curl line; its values stand out. */
  #writeLine() {
    const { key, body } = this.#request;
    const line = curlLine("POST", pathOf(key), JSON.stringify(body));
    const parts = line.split(/(?<=":)("[^"]*"|[-\d.e]+|true)/);
    this.#find("#curl").replaceChildren(...parts.map((part, at) => (at % 2 ? make("b", {}, part) : part)));
  }
}

/** Shows the number, and what goes with it: copying the line, pausing the page, hiding the screen.
 *  @returns {void} */
export function showHero() {
  const element = /** @type {HTMLElement} */ (document.querySelector(".hero"));
  const button = (/** @type {string} */ id) => /** @type {HTMLElement} */ (element.querySelector(`#${id}`));
  new Hero(element);
  localStorage.setItem(SEEN, "1");
  button("take").addEventListener("click", () => copy(button("curl").textContent ?? "", button("take")));
  const still = button("still");
  still.addEventListener("click", () => {
    const pace = still.ariaPressed === "true" ? defaultPace() : "paused";
    setPace(pace);
    writeURLState({ pace: pace === defaultPace() ? "" : pace });
  });
  followPace((pace) => {
    still.ariaPressed = `${pace === "paused"}`;
  });
  const fold = button("fold");
  const showFolded = () => {
    const isFolded = FOLDED in localStorage;
    document.documentElement.classList.toggle("folded", isFolded);
    fold.ariaExpanded = `${!isFolded}`;
    fold.textContent = translate(isFolded ? "Show" : "Hide");
  };
  fold.addEventListener("click", () => {
    if (FOLDED in localStorage) localStorage.removeItem(FOLDED);
    else localStorage.setItem(FOLDED, "1");
    showFolded();
  });
  showFolded();
  feedFrom().addEventListener("status", () => {
    if (feedFrom().status.state === "live") dispatchEvent(new Event("live"));
  });
}
