// Styles of all components.

export const SHARED_STYLES = `
:host { display: inline-block; position: relative; font-variant-numeric: tabular-nums }
:host([hidden]) { display: none }
:host(:is([pace=settled], [pace=paused])) { --tween-play: paused }
:host([stale]) .value { opacity: .75; filter: grayscale(1) }
.stale { position: absolute; inset-block-start: 0; inset-inline-end: -.45em; width: .35em; height: .35em; border-radius: 50%;
	background: GrayText }
:host(:not([stale])) .stale { display: none }
.spoken { user-select: none; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.value { white-space: pre-wrap; overflow-wrap: normal; unicode-bidi: isolate }
.endless { overflow-wrap: anywhere }`;
