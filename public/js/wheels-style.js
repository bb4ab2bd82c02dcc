// Styles of a number with wheels: ordinary text, with a window over each digit that moves.

/**
 * The style sheet.
 *
 * A window covers the font's own height of its digit. An element with `text-top` makes the line within it begin at the
 * top of that height, and no other box is as high. So the first digit of the strip is on the baseline of the text,
 * however the browser rounds half pixels. The rows of a strip are whole pixels apart, so that all digits are aligned.
 *
 * Generated content can't be found, selected or read; an inert element doesn't split a text that is searched for.
 */
export const WHEEL_STYLES = `
.spoken:not([aria-live])::before { content: attr(data-text); }
.inner { unicode-bidi: embed; direction: ltr; }
.absent::before { content: attr(data-text); }
.window {
  display: none;
  position: absolute;
  inset: 0 -0.15em;
  overflow: clip;
  line-height: 0;
  text-indent: 0;
  white-space: nowrap;
  pointer-events: none;
  --fade: var(--tween-digit-fade, 0.2em);
  mask-image: linear-gradient(#0000, #000 var(--fade), #000 calc(100% - var(--fade)), #0000);
}
.window::before { content: ""; display: inline-block; vertical-align: text-top; }
.strip {
  display: inline-flex;
  width: 100%;
  margin-top: -3em;
  justify-content: center;
  line-height: 1.1;
  line-height: round(up, 1.1em, 1px);
}
.strip::before { content: var(--faces); white-space: pre; }
.rolling { position: relative; }
.rolling .window { display: block; }
.rolling .digit,
.rolling .digit::selection {
  -webkit-text-fill-color: transparent;
  -webkit-text-stroke: 0;
  text-shadow: none;
}
.rolling .digit::selection { background: Highlight; }
.fast .window {
  mask-image: none;
  color: color-mix(in srgb, currentColor 60%, #0000);
  text-shadow: 0 -0.07em color-mix(in srgb, currentColor 50%, #0000),
    0 0.07em color-mix(in srgb, currentColor 50%, #0000);
}
.held { display: inline-block; }
@media print {
  .rolling .window { display: none; }
  .rolling .digit { -webkit-text-fill-color: currentColor; }
}
`;
