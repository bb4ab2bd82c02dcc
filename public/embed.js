// One tag registers the components: <script type="module" src="https://your.server/embed.js"></script>
import { TweenProgress } from "./js/tween-progress.js";
import { TweenSchedule } from "./js/tween-schedule.js";
import { TweenTicker } from "./js/tween-ticker.js";

if (!customElements.get("tween-ticker")) {
	customElements.define("tween-progress", TweenProgress);
	customElements.define("tween-schedule", TweenSchedule);
	customElements.define("tween-ticker", TweenTicker);
}
