// The types of embed.js and marquee.js. With
//   "paths": { "https://tweens.example/embed.js": ["./embed.d.ts"] }
// imports from that address are checked, too.

/** `live` draws each frame; `settled` shows values at rest, and moving ones at intervals; `paused` only first values. */
export type Pace = "live" | "settled" | "paused";

/** Why an element may be out of date. */
export type Staleness = "missing" | "removed" | "connecting" | "frozen";

/** Ids by kind, as in the body of `POST /v1/tickets`. */
export type Topics = { ticker?: string[]; progress?: string[]; schedule?: string[] };

/** Provides one-time tickets: a function, or an address that receives the topics by `POST`. */
export type TicketGiver = string | ((topics: Topics) => string | Promise<string>);

/** Sets the pace of the page; without one the reader's system decides. */
export function setPace(pace?: Pace): void;

/** The pace of the page. */
export function pagePace(): Pace;

/** Calls a function with the pace of the page, now and whenever it changes. */
export function followPace(act: (pace: Pace) => void): void;

/** Binds the elements with `data-tween` in a shadow root; the function returned stops that. */
export function observe(root: Document | ShadowRoot): () => void;

/** What an element shows. */
export interface TweenFrame {
  value?: number;
  text: string;
  /** From 0 to 1; null for a progress without a maximum. */
  fraction?: number | null;
  percent?: number | null;
}

/** The resource of an event: one of the three. */
export interface TweenSource {
  ticker?: string;
  progress?: string;
  schedule?: string;
}

export interface TweenComplete extends TweenSource, TweenFrame {
  /** Counts the motions of a resource. This and what follows is missing if the event was sent while there was no connection. */
  animation?: number;
  finished?: boolean;
  reason?: "finished" | "superseded" | "cancelled" | "removed";
  /** The first of the `count` motions that one event stands for. */
  first?: number;
  count?: number;
}

/** Events about an element's state, which don't bubble. */
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

/** The base of all components. */
export interface TweenElement extends HTMLElement {
  src: string;
  pace: Pace;
  get ticket(): TicketGiver | undefined;
  set ticket(giver: TicketGiver | undefined);
  /** Why the element may be out of date; null while it is current. */
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
  /** An `appearance` like the server's; attributes override it. */
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

/** The selected items in document order; `keys` contains `data-key` if an item has one, else the item. */
export interface TweenSelection {
  selected: HTMLElement[];
  keys: (string | HTMLElement)[];
}

/** A rectangle while it is drawn, in pixels of the window; null when it has ended. */
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

  /** Events that bubble, so that a page can listen for all of them; `tweenframe` also for `data-tween`. */
  interface HTMLElementEventMap {
    tweenframe: CustomEvent<TweenFrame>;
    tweenselect: CustomEvent<TweenSelection>;
    tweenrectangle: CustomEvent<TweenRectangle>;
  }
}
