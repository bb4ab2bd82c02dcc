// One tag registers the components: <script type="module" src="https://your.server/embed.js"></script>
import "./js/components.js";
