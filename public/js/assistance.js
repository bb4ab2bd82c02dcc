// The keyboard's way through the cards, announcements for screen readers, and what is said where a module doesn't come: loaded
// when the first numbers are there.
import "./missing-modules.js";
export { Announcer } from "./announcer.js";
export { RovingTabindex } from "./roving-tabindex.js";
