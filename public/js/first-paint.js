// What a page needs before it is painted, and the first number of a first visit while the other scripts load.
// packaging/viewer inlines this script: it opens a stream as soon as the HTML has arrived, so that a number moves
// after two round trips.
(() => {
  const params = new URLSearchParams(location.search);
  const root = document.documentElement;
  const isReturning = "tweencast.seen" in localStorage;
  // The page's layout must not change when the other scripts arrive.
  root.classList.toggle("folded", "tweencast.folded" in localStorage);
  root.classList.toggle("early-wall", params.get("layout") === "wall");
  root.classList.toggle("early-kiosk", ["", "1"].includes(params.get("kiosk") ?? "0"));
  const { lang } = JSON.parse(localStorage.getItem("tweencast.settings") ?? "{}");
  const tag = params.get("lang") || lang || navigator.language;
  // Translations, whose texts differ in length, arrive with the other scripts.
  root.classList.toggle("early-words", /^de\b/i.test(tag));
  // The same list as in i18n.js.
  const direction = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(tag) ? "rtl" : "ltr";
  root.dir = (params.get("dir") ?? direction) === "rtl" ? "rtl" : "ltr";
  // Returning visitors have the scripts cached. With reduced motion the number waits for the scripts.
  const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (location.search || isReturning || prefersReducedMotion) return;
  const stream = new EventSource("v1/events?ticker=preset-ease-out");
  stream.onmessage = ({ data }) => {
    const place = document.querySelector("[data-early=preset-ease-out]");
    if (!place) return;
    place.textContent = JSON.parse(data).text;
    place.closest("[data-absent]")?.removeAttribute("data-absent");
  };
  stream.onerror = () => stream.close();
  // The page's own stream has taken over.
  addEventListener("live", () => stream.close(), { once: true });
})();
