// What a page needs before it is painted, and the first numbers of a first visit while the other scripts load.
// packaging/viewer inlines this script: it opens a stream as soon as the HTML has arrived, so that a number moves
// after two round trips.
(() => {
  const params = new URLSearchParams(location.search);
  const root = document.documentElement;
  const isReturning = "tweencast.seen" in localStorage;
  // The page's layout must not change when the other scripts arrive.
  root.classList.toggle("seen", isReturning);
  root.classList.toggle("early-wall", params.get("layout") === "wall");
  root.classList.toggle("early-kiosk", ["", "1"].includes(params.get("kiosk") ?? "0"));
  const { lang } = JSON.parse(localStorage.getItem("tweencast.settings") ?? "{}");
  const tag = params.get("lang") || lang || navigator.language;
  // Translations, whose texts differ in length, arrive with the other scripts.
  root.classList.toggle("early-words", /^de\b/i.test(tag));
  // The same list as in i18n.js.
  const direction = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(tag) ? "rtl" : "ltr";
  root.dir = (params.get("dir") ?? direction) === "rtl" ? "rtl" : "ltr";
  // Returning visitors have the scripts cached. With reduced motion the numbers wait for the scripts.
  const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (location.search || isReturning || prefersReducedMotion) return;
  const ids = ["preset-linear", "preset-ease-out", "preset-ease-in"];
  const stream = new EventSource(`v1/events?${ids.map((id) => `ticker=${id}`).join("&")}`);
  stream.onmessage = ({ data }) => {
    const { ticker, text } = JSON.parse(data);
    const place = document.querySelector(`[data-early="${ticker}"]`);
    if (place) place.textContent = text;
  };
  stream.onerror = () => stream.close();
  // The page's own stream has taken over.
  addEventListener("live", () => stream.close(), { once: true });
})();
