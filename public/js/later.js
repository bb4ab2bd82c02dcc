// What few visits need: fetched when it is first asked for, in one piece.
export { inspect } from "./inspector.js";
