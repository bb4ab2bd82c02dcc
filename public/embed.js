// One tag registers the components: <script type="module" src="https://your.server/embed.js"></script>
export * from "./js/embedding.js";
