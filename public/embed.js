// One tag registers the components: <script type="module" src="https://your.server/embed.js"></script>
import { TweenProgress as progress } from "./js/tween-progress.js";
import { TweenSchedule as schedule } from "./js/tween-schedule.js";
import { TweenTicker as ticker } from "./js/tween-ticker.js";

for (const [kind, element] of Object.entries({ progress, schedule, ticker })) {
	if (!customElements.get(`tween-${kind}`)) customElements.define(`tween-${kind}`, element);
}
