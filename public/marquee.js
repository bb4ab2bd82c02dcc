// One tag registers <tween-marquee>: <script type="module" src="https://your.server/marquee.js"></script>
export * from "./js/tween-marquee.js";
