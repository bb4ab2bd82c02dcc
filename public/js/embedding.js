// What pages of others get: the components, `data-tween` on elements of their own, and the pace of
// all that moves on the page.
import "./components.js";
import { observe } from "./bindings.js";

export { followPace, pagePace, setPace } from "./pace.js";
export { observe };

observe(document);
