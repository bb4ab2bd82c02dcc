// Whether the page hears the server, said in its bar, its title and its icon, and where there is
// nothing else to see; and what comes to rest, for screen readers.
import { write } from "./element.js";
import { feedFrom } from "./feed.js";
import { askFor, dismiss } from "./session.js";
import { words } from "./words.js";

/** Why a stream ended that wants a token anew.
 *  @type {Record<string, string>} */
const ENDS = { expired: "The token has expired", revoked: "The token was revoked" };
/** Milliseconds after the greeting in which cards may come: until then an empty board is none
 *  yet. */
const GREETING = 500;

/** @param {string} selector
 *  @returns {any} */
const find = (selector) => document.querySelector(selector);

/** @param {import("./board.js").Board} board
 *  @returns {void} */
export function showStatus(board) {
  const feed = feedFrom();
  let wasAsked = false;
  let wasLive = false;
  let isGreeted = false;
  const icon = /** @type {any} */ (find("link[rel=icon]"));
  const own = icon.href;

  feed.addEventListener("status", () => {
    const { state, greeting, detail, ended } = feed.status;
    if (state === "asked") askFor(words(ENDS[ended ?? ""] ?? detail ?? ""));
    if (state === "live" && wasAsked) {
      dismiss();
      // Its curl line has a token now.
      find("#start").dispatchEvent(new Event("input"));
    }
    wasAsked = state === "asked" || (wasAsked && state !== "live");
    wasLive ||= state === "live";
    find("#connection").dataset.state = document.body.dataset.state = state;
    write(find("#connection"), told());
    icon.href = state === "live" || !wasLive ? own : icon.dataset.lost;
    document.title = state === "live" ? "Tweencast" : `${told()} – Tweencast`;
    if (state === "live") {
      // When it is needed there is no server that could send it.
      new Image().src = icon.dataset.lost;
      document.body.toggleAttribute("data-read-only", greeting?.readOnly === true);
      // What failed for want of a connection may be tried again.
      if (find("#problem").textContent === words("No connection")) write(find("#problem"), "");
      write(find("#about"), `Tweencast ${greeting?.version}`);
      setTimeout(() => {
        isGreeted = true;
        showEmpty();
      }, GREETING);
    } else isGreeted = false;
    showEmpty();
  });
  feed.addEventListener("pace", () => write(find("#connection"), told()));
  board.addEventListener("arranged", showEmpty);

  function told() {
    const { state, greeting, detail } = feed.status;
    // A page that draws nothing, or values at rest alone, doesn't call itself live.
    if (state === "live" && feed.pace !== "live") return words("Connected");
    if (state === "live") return words("Live, {rate} Hz", { rate: greeting?.tickRate });
    if (state === "asked") return words("Not signed in");
    if (state === "refused") return words("Nothing to show: {detail}", { detail });
    return words(wasLive ? "Reconnecting…" : "Connecting…");
  }

  function showEmpty() {
    const { state } = feed.status;
    const isEmpty = !board.shown.length;
    const isWaiting = state === "live" && !isGreeted && !board.cards.size;
    document.body.dataset.empty = `${isEmpty}`;
    find("#empty").hidden = !isEmpty || isWaiting;
    write(find("#empty"), board.cards.size ? words("No card matches.") : state !== "live" ? told()
      : words("Nothing here yet. Start a motion, or post one with curl."));
  }
}

/** Milliseconds in which what rests is collected: many numbers are one sentence, and none waits for
 *  the last of all. */
const COLLECTING = 2000;
/** Numbers that a sentence tells; of those beyond it tells how many. */
const MOST_TOLD = 5;

/** Speaks what comes to rest, as long as that is wanted.
 *  @param {HTMLElement} region
 *  @param {() => boolean} isWanted
 *  @returns {void} */
export function speak(region, isWanted) {
  /** @type {Map<string, string>} */
  const waiting = new Map();
  let more = 0;
  /** @type {number | undefined} */
  let timer;
  /** @param {any} data */
  const event = ({ finished, text, ticker, progress }) => {
    if (!finished || !isWanted()) return;
    const id = ticker ?? progress;
    if (waiting.size < MOST_TOLD || waiting.has(id)) waiting.set(id, text);
    else more++;
    timer ??= setTimeout(() => {
      const told = [...waiting].map(([name, value]) => `${name} ${value}`);
      if (more) told.push(words("and {count} more", { count: more }));
      write(region, told.join("; "));
      waiting.clear();
      more = 0;
      timer = undefined;
    }, COLLECTING);
  };
  feedFrom().listen("ticker:*", { event });
}
