// The page of examples: each element beside its markup.
import { BASE_URL, urlFor } from "./base-url.js";
import { copy } from "./clipboard.js";
import { make, setText } from "./dom.js";
import { followPace, setPace } from "./embedding.js";
import { GERMAN } from "./examples-translations.js";
import { feedFrom } from "./feed.js";
import { addTranslations, translate, translateMarkup } from "./i18n.js";
import { askForToken, problemText } from "./session.js";
import "./tween-marquee.js";

/** The server in example code. */
const ANY = "https://tweens.example/";
/** The most lines in the log of events. */
const LINES = 6;

/** The resources of the examples, created on request where they are missing. */
const RESOURCES = {
  "v1/tickers/revenue": { label: "$1,204.50", to: 2310.75, decimals: 2, duration: 4 },
  "v1/progress/download": { current: 75, maximum: 100, duration: 20 },
  "v1/schedules/next-sale": {
    every: 5, label: "next sale in 5 s", do: [{ ticker: "revenue", by: "137.25", duration: 2 }],
  },
};

addTranslations({ de: GERMAN });
translateMarkup(document);

/** @param {string} selector
 *  @returns {any} */
const find = (selector) => document.querySelector(selector);

// MARK: Examples

/** @param {string} text */
function codeOf(text) {
  const code = make("pre", { tabindex: 0, role: "group", "aria-label": translate("Code") }, text);
  const button = make("button", { click: () => copy(text, button) }, translate("Copy"));
  return make("div", {}, code, button);
}

/** @param {string} markup as a browser serializes it, with empty values */
const plain = (markup) => markup.trim().replaceAll('=""', "").replaceAll('="v1/', `="${BASE_URL}v1/`);

for (const section of document.querySelectorAll("main > section")) {
  const template = section.querySelector("template");
  const codes = [...section.querySelectorAll("pre")];
  const texts = codes.map(({ textContent }) => (textContent ?? "").replaceAll(ANY, BASE_URL));
  for (const code of codes) code.remove();
  section.append(make("div", {}, ...section.childNodes));
  if (template) {
    const live = make("div", { class: "live" }, template.content.cloneNode(true));
    template.before(live);
    texts.unshift(plain(template.innerHTML));
    section.querySelector("[name=again]")?.addEventListener("click", () => {
      live.replaceChildren(template.content.cloneNode(true));
    });
  }
  section.append(make("div", { class: "code" }, ...texts.map(codeOf)));
}

// MARK: Events

for (const name of ["complete", "fired", "stale", "connected", "paused", "resumed", "removed"]) {
  // Events that don't bubble are caught in the capture phase.
  document.addEventListener(name, (event) => {
    const { target, detail } = /** @type {CustomEvent} */ (event);
    if (!(target instanceof Element) || !/^tween-/.test(target.localName)) return;
    const { ticker, progress, schedule, reason } = detail;
    const entry = [name, ticker ?? progress ?? schedule, reason].filter(Boolean).join(" · ");
    find("#log").prepend(make("li", {}, entry));
    while (find("#log").children.length > LINES) find("#log").lastChild.remove();
    find("#missing").hidden = !missing().length;
  }, { capture: true });
}

find("tween-marquee").addEventListener("tweenselect", (/** @type {CustomEvent} */ { detail }) => {
  const names = detail.selected.map((/** @type {Element} */ { textContent }) => textContent);
  setText(find("#chosen"), names.join(", ") || "–");
});

followPace((pace) => {
  find("#pace").value = pace;
});
find("#pace").addEventListener("change", () => setPace(find("#pace").value));

// MARK: Missing resources

/** @returns {(keyof typeof RESOURCES)[]} */
function missing() {
  const paths = /** @type {(keyof typeof RESOURCES)[]} */ (Object.keys(RESOURCES));
  return paths.filter((path) => find(`:is([stale=missing], [stale=removed])[src="${path}"]`));
}

find("#missing button").addEventListener("click", async () => {
  const problem = find("#missing [role=alert]");
  setText(problem, "");
  for (const path of missing()) {
    const answer = await fetch(urlFor(path), {
      method: path.includes("schedules") ? "PUT" : "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(RESOURCES[path]),
    }).catch(() => null);
    if (answer?.ok) continue;
    const text = await problemText(answer);
    if (answer?.status === 401) askForToken(text, true);
    return setText(problem, text);
  }
});

const feed = feedFrom();
feed.addEventListener("status", () => {
  const { state, detail = "" } = feed.status;
  if (state === "unauthorized") askForToken(translate(detail));
});
