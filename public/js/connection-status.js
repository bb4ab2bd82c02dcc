// Shows the state of the connection: in the bar, the title and the icon, and on an empty board.
import { setText } from "./dom.js";
import { feedFrom } from "./feed.js";
import { translate } from "./i18n.js";
import { askForToken, closeSignIn } from "./session.js";

/** Why a stream ended that needs a new token.
 *  @type {Record<string, string>} */
const ENDS = { expired: "The token has expired", revoked: "The token was revoked" };
/** Milliseconds after the greeting in which cards may arrive; until then a board without cards is not empty. */
const GREETING = 500;
/** Milliseconds without a new card after which the first cards count as complete. */
const SETTLE_TIME = 100;

/** @param {string} selector
 *  @returns {any} */
const find = (selector) => document.querySelector(selector);

/** @param {import("./board.js").Board} board
 *  @param {() => Promise<unknown> | undefined} layout what the places of the cards wait for
 *  @returns {void} */
export function showConnectionStatus(board, layout) {
  const feed = feedFrom();
  let wasAsked = false;
  let wasLive = false;
  let isGreeted = false;
  /** @type {number | undefined} */
  let showTimer;
  const icon = /** @type {any} */ (find("link[rel=icon]"));
  const normalIcon = icon.href;

  feed.addEventListener("status", () => {
    const { state, greeting, detail, endReason } = feed.status;
    if (state === "unauthorized") askForToken(translate(ENDS[endReason ?? ""] ?? detail ?? ""));
    if (state === "live" && wasAsked) {
      closeSignIn();
      // Its curl line has a token now.
      find("#start").dispatchEvent(new Event("input"));
    }
    wasAsked = state === "unauthorized" || (wasAsked && state !== "live");
    wasLive ||= state === "live";
    find("#connection").dataset.state = document.body.dataset.state = state;
    setText(find("#connection"), statusText());
    icon.href = state === "live" || !wasLive ? normalIcon : icon.dataset.lost;
    document.title = state === "live" ? "Tweencast" : `${statusText()} – Tweencast`;
    if (state === "live") {
      document.body.toggleAttribute("data-read-only", greeting?.readOnly === true);
      // A request that failed without a connection can be tried again.
      if (find("#problem").textContent === translate("No connection")) setText(find("#problem"), "");
      setText(find("#about"), `Tweencast ${greeting?.version}`);
      setTimeout(() => {
        isGreeted = true;
        showEmpty();
      }, GREETING);
    } else isGreeted = false;
    showEmpty();
  });
  feed.addEventListener("pace", () => setText(find("#connection"), statusText()));
  board.addEventListener("arranged", showEmpty);

  function statusText() {
    const { state, greeting, detail } = feed.status;
    // A page that is settled or paused doesn't call itself live.
    if (state === "live" && feed.pace !== "live") return translate("Connected");
    if (state === "live") return translate("Live, {rate} Hz", { rate: greeting?.tickRate });
    if (state === "unauthorized") return translate("Not signed in");
    if (state === "forbidden") return translate("Nothing to show: {detail}", { detail });
    return translate(wasLive ? "Reconnecting…" : "Connecting…");
  }

  /** Shows all cards at once, each in its place. */
  async function showAll() {
    await layout();
    document.body.dataset.ready = "";
    // Loaded early: once the icon is needed, no server can send it.
    new Image().src = icon.dataset.lost;
    dispatchEvent(new Event("ready"));
  }

  function showEmpty() {
    const { state } = feed.status;
    const isEmpty = !board.shown.length;
    const isWaiting = state === "live" && !isGreeted && !board.cards.size;
    document.body.dataset.empty = `${isEmpty}`;
    if (isGreeted || ["unauthorized", "forbidden"].includes(state ?? "")) showAll();
    else if (!isEmpty) {
      clearTimeout(showTimer);
      showTimer = setTimeout(showAll, SETTLE_TIME);
    }
    find("#empty").hidden = !isEmpty || isWaiting;
    setText(find("#empty"), board.cards.size ? translate("No card matches.") : state !== "live" ? statusText()
      : translate("Nothing here yet. Start a motion, or post one with curl."));
  }
}
