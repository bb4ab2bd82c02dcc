// The first numbers of a first visit, while the scripts that show everything are on their way. A script
// of the page's own text (packaging/viewer puts it there): it asks for a stream as soon as the page is
// here, so a number moves after two round trips.
(() => {
  const asksForMore = location.search !== "" || "tweencast.seen" in localStorage;
  // Who was here before has the scripts, and who asks for less motion waits for what heeds it.
  if (asksForMore || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  /** @type {Map<string | undefined, HTMLElement>} */
  const places = new Map();
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-early]"))) {
    places.set(place.dataset.early, place);
  }
  const stream = new EventSource(`v1/events?${[...places.keys()].map((id) => `ticker=${id}`).join("&")}`);
  stream.onmessage = ({ data }) => {
    const { ticker, text } = JSON.parse(data);
    const place = places.get(ticker);
    if (place) place.textContent = text;
  };
  stream.onerror = () => stream.close();
  // The page's own stream has come.
  addEventListener("live", () => stream.close(), { once: true });
})();
