// What a page has to know before it is painted, and the first numbers of a first visit, while the
// scripts that show everything are on their way. A script of the page's own text (packaging/viewer
// puts it there): it asks for a stream as soon as the page is here, so a number moves after two round
// trips.
(() => {
  const asked = new URLSearchParams(location.search);
  const root = document.documentElement;
  const wasHere = "tweencast.seen" in localStorage;
  // What is laid out otherwise than the page's own text would jump when the scripts come.
  root.classList.toggle("seen", wasHere);
  root.classList.toggle("early-wall", asked.get("layout") === "wall");
  root.classList.toggle("early-kiosk", ["", "1"].includes(asked.get("kiosk") ?? "0"));
  const { lang } = JSON.parse(localStorage.getItem("tweencast.settings") ?? "{}");
  const tag = asked.get("lang") || lang || navigator.language;
  // Words of another length come with the scripts.
  root.classList.toggle("early-words", /^de\b/i.test(tag));
  // As i18n.js has it.
  const usual = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(tag) ? "rtl" : "ltr";
  root.dir = (asked.get("dir") ?? usual) === "rtl" ? "rtl" : "ltr";
  // Who was here before has the scripts, and who asks for less motion waits for what heeds it.
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (location.search || wasHere || isCalm) return;
  const ids = ["preset-linear", "preset-ease-out", "preset-ease-in"];
  const stream = new EventSource(`v1/events?${ids.map((id) => `ticker=${id}`).join("&")}`);
  stream.onmessage = ({ data }) => {
    const { ticker, text } = JSON.parse(data);
    const place = document.querySelector(`[data-early="${ticker}"]`);
    if (place) place.textContent = text;
  };
  stream.onerror = () => stream.close();
  // The page's own stream has come.
  addEventListener("live", () => stream.close(), { once: true });
})();
