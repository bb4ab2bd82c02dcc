// What few visits need: fetched in one piece when it is first asked for.
export { edit } from "./form-prefill.js";
export { inspect } from "./inspector.js";
export { copyLink, guard } from "./kiosk.js";
export { textOf } from "./motion.js";
export { preview, showInstants } from "./schedule-preview.js";
export { offerUndo } from "./undo.js";
