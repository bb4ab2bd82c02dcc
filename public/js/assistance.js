// The keyboard's way through the cards, and announcements for screen readers: loaded when the first numbers are there.
export { Announcer } from "./announcer.js";
export { RovingTabindex } from "./roving-tabindex.js";
