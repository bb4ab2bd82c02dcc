// What other sites' pages get: the components, `data-tween` on elements of their own, and the pace of the page.
import { observe } from "./bindings.js";
import { defineElements, TweenSchedule } from "./components.js";
import { embedded, EmbeddedTicker } from "./embedded-element.js";
import { TweenProgress } from "./tween-progress.js";

export { followPace, pagePace, setPace } from "./pace.js";
export { observe };

defineElements({
  "tween-progress": embedded(TweenProgress),
  "tween-schedule": embedded(TweenSchedule),
  "tween-ticker": EmbeddedTicker,
});
observe(document);
