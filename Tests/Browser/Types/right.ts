// What a page may do with the components.
import { followPace, observe, pagePace, setPace, type Pace } from "../../../public/embed.js";

const pace: Pace = pagePace();
setPace(pace === "live" ? "paused" : "live");
setPace();
followPace((now) => document.body.classList.toggle("calm", now !== "live"));

const ticker = document.querySelector("tween-ticker");
if (ticker) {
  ticker.src = "https://tweens.example/v1/tickers/revenue";
  ticker.ticket = async (topics) => (topics.ticker ?? []).join();
  const half: number | null = ticker.value && ticker.value / 2;
  document.title = `${ticker.text} ${half} ${ticker.stale ?? "so"}`;
  ticker.addEventListener("tweenframe", ({ detail }) => document.title = detail.text.trim());
  ticker.addEventListener("complete", ({ detail }) => detail.reason === "superseded" || detail.animation?.toFixed());
  ticker.addEventListener("milestone", ({ detail: { value } }) => value.toFixed());
  ticker.addEventListener("stale", ({ detail }) => detail.reason === "frozen");
  ticker.addEventListener("click", ({ clientX }) => clientX.toFixed());
}

const progress = document.createElement("tween-progress");
progress.appearance = { shape: "pie", startAngle: 90 };
const share: number = progress.fraction ?? 0;
const schedule = document.createElement("tween-schedule");
schedule.addEventListener("fired", ({ detail }) => detail.count + share);

const stop: () => void = observe(document.body.attachShadow({ mode: "open" }));
stop();

document.querySelector("tween-marquee")?.addEventListener("tweenselect", ({ detail }) => {
  for (const item of detail.selected) item.remove();
});
document.querySelector("h2")?.addEventListener("tweenframe", ({ detail }) => detail.text.length);
document.querySelector("tween-marquee")?.addEventListener("tweenrectangle", ({ detail: { rectangle, origin } }) => {
  document.title = `${rectangle?.width} from ${origin?.x}`;
});
