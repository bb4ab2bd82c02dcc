// Whether the page hears the server, said in its bar, its title and its icon, and where there is
// nothing else to see.
import { write } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { askFor, dismiss } from "./session.js";
import { words } from "./i18n.js";

/** Why a stream ended that wants a token anew.
 *  @type {Record<string, string>} */
const ENDS = { expired: "The token has expired", revoked: "The token was revoked" };
/** Milliseconds after the greeting in which cards may come: until then an empty board is none
 *  yet. */
const GREETING = 500;
/** Milliseconds after the last new card in which the first cards are taken to be all there. */
const COMING = 100;

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
  /** @type {number | undefined} */
  let coming;
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

  /** What was told at first is seen at once, each in its place. */
  function showAll() {
    document.body.dataset.ready = "";
  }

  function showEmpty() {
    const { state } = feed.status;
    const isEmpty = !board.shown.length;
    const isWaiting = state === "live" && !isGreeted && !board.cards.size;
    document.body.dataset.empty = `${isEmpty}`;
    if (isGreeted || ["asked", "refused"].includes(state ?? "")) showAll();
    else if (!isEmpty) {
      clearTimeout(coming);
      coming = setTimeout(showAll, COMING);
    }
    find("#empty").hidden = !isEmpty || isWaiting;
    write(find("#empty"), board.cards.size ? words("No card matches.") : state !== "live" ? told()
      : words("Nothing here yet. Start a motion, or post one with curl."));
  }
}
