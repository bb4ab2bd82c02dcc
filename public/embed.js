// One script tag registers the components: <script type="module" src="https://your.server/embed.js"></script>
import { TweenProgress } from "./js/tween-progress.js";
import { TweenSchedule } from "./js/tween-schedule.js";
import { TweenTicker } from "./js/tween-ticker.js";

for (const [name, element] of [
	["tween-ticker", TweenTicker], ["tween-progress", TweenProgress], ["tween-schedule", TweenSchedule],
]) {
	if (!customElements.get(name)) customElements.define(name, element);
}
