// What pages of others get: the components, and the pace of all that moves on the page.
import "./components.js";

export { followPace, pagePace, setPace } from "./pace.js";
