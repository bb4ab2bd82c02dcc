// What embed.js and marquee.js bring to a page, for TypeScript. With
//   "paths": { "https://tweens.example/embed.js": ["./embed.d.ts"] }
// an import of that address is checked, too.

/** `live` as it comes, `settled` values at rest, and now and then, `paused` nothing but first values. */
export type Pace = "live" | "settled" | "paused";

/** Why what is shown may not be so any more. */
export type Staleness = "missing" | "removed" | "connecting" | "frozen";

/** Ids by kind, as `POST /v1/tickets` takes them. */
export type Topics = { ticker?: string[]; progress?: string[]; schedule?: string[] };

/** Gives one-time tickets: a function, or an address that topics are posted to. */
export type TicketGiver = string | ((topics: Topics) => string | Promise<string>);

/** Sets the pace of all that is on the page; without one it is the reader's. */
export function setPace(pace?: Pace): void;

/** The pace of the page. */
export function pagePace(): Pace;

/** Tells of the pace of the page, now and whenever it changes. */
export function followPace(act: (pace: Pace) => void): void;

/** Has elements in a shadow root with `data-tween` show what that names, until the answer is called. */
export function observe(root: Document | ShadowRoot): () => void;

/** What an element shows now. */
export interface TweenFrame {
  value?: number;
  text: string;
  /** From 0 to 1; nobody knows it of a progress without a maximum. */
  fraction?: number | null;
  percent?: number | null;
}

/** Whose event it is: one of the three. */
export interface TweenSource {
  ticker?: string;
  progress?: string;
  schedule?: string;
}

export interface TweenComplete extends TweenSource, TweenFrame {
  /** Counts the motions of a resource. */
  animation: number;
  finished: boolean;
  reason: "finished" | "superseded" | "cancelled" | "removed";
  /** The first of `count` motions of which one event tells. */
  first?: number;
  count?: number;
}

/** What tells of an element's state, and doesn't bubble. */
export interface TweenStateEventMap {
  tweenframe: CustomEvent<TweenFrame>;
  stale: CustomEvent<{ reason: Staleness }>;
  connected: CustomEvent<{ reason: null }>;
}

/** The server's events, which bubble. */
export interface TweenServerEventMap {
  complete: CustomEvent<TweenComplete>;
  milestone: CustomEvent<TweenSource & { animation: number; value: number }>;
  paused: CustomEvent<TweenSource & { all?: true }>;
  resumed: CustomEvent<TweenSource & { all?: true }>;
  removed: CustomEvent<TweenSource & { reason: "deleted" | "cancelled" | "completed" | "skipped" }>;
  scheduled: CustomEvent<{ schedule: string; due: string }>;
  fired: CustomEvent<{ schedule: string; due: string; count: number }>;
  skipped: CustomEvent<{ schedule: string; due: string; next?: string }>;
}

export interface TweenEventMap extends HTMLElementEventMap, TweenStateEventMap, TweenServerEventMap {}

/** What the components have alike. */
export interface TweenElement extends HTMLElement {
  src: string;
  pace: Pace;
  get ticket(): TicketGiver | undefined;
  set ticket(giver: TicketGiver | undefined);
  /** Why what is shown may not be so any more; null where it is. */
  readonly stale: Staleness | null;
  /** Empty before the first frame. */
  readonly text: string;
  readonly value: number | null;
  readonly fraction: number | null;
  addEventListener<Name extends keyof TweenEventMap>(
    name: Name,
    listener: (this: this, event: TweenEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof TweenEventMap>(
    name: Name,
    listener: (this: this, event: TweenEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

export interface TweenTickerElement extends TweenElement {}
export interface TweenScheduleElement extends TweenElement {}
export interface TweenProgressElement extends TweenElement {
  /** Looks, as the server's `appearance` has them; attributes win. */
  set appearance(looks: Appearance | null | undefined);
}

export interface Appearance {
  shape?: "bar" | "pie" | "ring";
  titleDirection?: "top" | "bottom" | "left" | "right";
  ends?: "round" | "flat";
  legend?: boolean;
  clockwise?: boolean;
  startAngle?: number;
  height?: number;
  margin?: number;
  padding?: number;
  strokeWidth?: number;
  color?: string;
  trackColor?: string;
}

/** What is selected, in the order of the page; `keys` are `data-key` where an item has one. */
export interface TweenSelection {
  selected: HTMLElement[];
  keys: (string | HTMLElement)[];
}

/** A rectangle while it is drawn, in pixels of the window; null when it is gone. */
export interface TweenRectangle {
  rectangle: DOMRect | null;
  /** The corner where it began. */
  origin: DOMPoint | null;
}

export interface TweenMarqueeElement extends HTMLElement {
  selected: HTMLElement[];
  readonly rectangle: DOMRect | null;
  readonly origin: DOMPoint | null;
  addEventListener(
    name: "tweenrectangle",
    listener: (this: this, event: CustomEvent<TweenRectangle>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: "tweenselect",
    listener: (this: this, event: CustomEvent<TweenSelection>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (this: this, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tween-ticker": TweenTickerElement;
    "tween-progress": TweenProgressElement;
    "tween-schedule": TweenScheduleElement;
    "tween-marquee": TweenMarqueeElement;
  }

  /** They bubble, so that a page may listen for all at once; `tweenframe` is that of `data-tween`. */
  interface HTMLElementEventMap {
    tweenframe: CustomEvent<TweenFrame>;
    tweenselect: CustomEvent<TweenSelection>;
    tweenrectangle: CustomEvent<TweenRectangle>;
  }
}
