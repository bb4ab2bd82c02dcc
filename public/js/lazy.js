// Modules that few visits need, loaded together when the first of them is used.
export { openCardMenu } from "./card-menu.js";
export { fillForm } from "./form-prefill.js";
export { inspectorToggle } from "./inspector.js";
export { blockInput, copyKioskLink } from "./kiosk.js";
export { textOf } from "./motion.js";
export { previewSchedule, showInstants } from "./schedule-preview.js";
export { openForm } from "./start-panel.js";
export { offerUndo } from "./undo.js";
export { Wall } from "./wall.js";
