// What pages of others get: the components, `data-tween` on elements of their own, and the pace of
// all that moves on the page.
import { observe } from "./bindings.js";
import { register, TweenSchedule } from "./components.js";
import { onPages, PageTicker } from "./embedded-element.js";
import { TweenProgress } from "./tween-progress.js";

export { followPace, pagePace, setPace } from "./pace.js";
export { observe };

register({
  "tween-progress": onPages(TweenProgress),
  "tween-schedule": onPages(TweenSchedule),
  "tween-ticker": PageTicker,
});
observe(document);
