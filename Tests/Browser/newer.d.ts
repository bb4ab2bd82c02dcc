// What the page's browsers have and the library of Debian's tsc doesn't know yet.

interface Array<T> {
  findLast(matches: (value: T, index: number, array: T[]) => unknown): T | undefined;
  findLastIndex(matches: (value: T, index: number, array: T[]) => unknown): number;
}

interface PromiseConstructor {
  withResolvers<T>(): {
    promise: Promise<T>;
    resolve(value: T | PromiseLike<T>): void;
    reject(reason?: unknown): void;
  };
}

declare namespace Intl {
  function getCanonicalLocales(locales?: string | readonly string[]): string[];
}

interface Element {
  checkVisibility(): boolean;
}

interface HTMLElement {
  showPopover(): void;
  hidePopover(): void;
}

interface CustomStateSet extends Set<string> {}

interface ElementInternals {
  readonly states: CustomStateSet;
}

interface WakeLockSentinel extends EventTarget {
  readonly released: boolean;
  release(): Promise<void>;
}

interface Navigator {
  /** Secure pages alone have one. */
  readonly wakeLock?: { request(type: "screen"): Promise<WakeLockSentinel> };
}
