// Curves as functions of progress: CSS easings, the power family and the damped spring. No DOM in here.

const POWER = 2.8;
const BEZIERS = {
  ease: [0.25, 0.1, 0.25, 1], "ease-in": [0.42, 0, 1, 1],
  "ease-out": [0, 0, 0.58, 1], "ease-in-out": [0.42, 0, 0.58, 1],
};

/** Names offered by the pickers. */
export const EASINGS = [
  "linear", "ease", "ease-in", "ease-out", "ease-in-out", "easeIn", "easeOut", "power-in-out(2.8)",
  "cubic-bezier(0.34, 1.56, 0.64, 1)", "steps(8, end)", "linear(0, 0.8 40%, 1)",
];

/** A CSS cubic Bezier; Newton's method, then bisection where its slope is flat. */
export function bezier(x1, y1, x2, y2) {
  const along = (a, b, s) => ((1 - 3 * b + 3 * a) * s + (3 * b - 6 * a)) * s * s + 3 * a * s;
  const slope = (s) => 3 * (1 - 3 * x2 + 3 * x1) * s * s + 2 * (3 * x2 - 6 * x1) * s + 3 * x1;
  return (x) => {
    if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
    let s = x;
    for (let i = 0; i < 8; i++) {
      const error = along(x1, x2, s) - x;
      if (Math.abs(error) < 1e-12) return along(y1, y2, s);
      const d = slope(s);
      if (Math.abs(d) < 1e-6) break;
      s -= error / d;
    }
    let low = 0, high = 1;
    for (let i = 0; i < 60; i++) {
      s = (low + high) / 2;
      if (along(x1, x2, s) < x) low = s; else high = s;
    }
    return along(y1, y2, s);
  };
}

/** CSS `steps()`, with a tolerance for products that fall just below an integer. */
function steps(count, position = "end") {
  const starts = /^(start|jump-start|jump-both)$/.test(position) ? 1 : 0;
  const jumps = count + (position === "jump-both" ? 1 : position === "jump-none" ? -1 : 0);
  return (x) => {
    const now = Math.floor(count * x + 1e-9) + starts;
    return Math.min(Math.max(now, 0), jumps) / jumps;
  };
}

/** The points of a CSS `linear()` as `[input, output]`, positions filled in as CSS Easing 2 has it. */
function linearStops(source) {
  const points = [];
  for (const stop of source.split(",")) {
    const parts = stop.trim().split(/\s+/);
    const value = parts.find((part) => !part.endsWith("%"));
    const at = parts.filter((part) => part.endsWith("%")).map((part) => parseFloat(part) / 100);
    if (at.length === 0) points.push([null, +value]);
    for (const x of at) points.push([x, +value]);
  }
  points[0][0] ??= 0;
  let largest = 0;
  for (const point of points) if (point[0] !== null) point[0] = largest = Math.max(largest, point[0]);
  points.at(-1)[0] ??= Math.max(1, largest);
  for (let i = 1; i < points.length; i++) {
    if (points[i][0] !== null) continue;
    let next = i;
    while (points[next][0] === null) next++;
    points[i][0] = points[i - 1][0] + (points[next][0] - points[i - 1][0]) / (next - i + 1);
  }
  return points;
}

/** A function through sampled points `[input, output]`, input rising. */
export function through(points) {
  return (x) => {
    let i = 0;
    while (i < points.length - 2 && points[i + 1][0] <= x) i++;
    const [[ax, ay], [bx, by]] = [points[i], points[i + 1] ?? points[i]];
    return ax === bx ? by : ay + ((x - ax) / (bx - ax)) * (by - ay);
  };
}

/** The curve of a CSS easing or power name; an unknown one is linear. */
export function parseEasing(text = "linear") {
  const [, name, list] = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/.exec(text) ?? [];
  const numbers = (list ?? "").split(",").map(Number);
  const k = list ? numbers[0] : POWER;
  if (BEZIERS[name]) return bezier(...BEZIERS[name]);
  switch (name) {
    case "easeIn": case "power-in": return (p) => p ** k;
    case "easeOut": case "power-out": return (p) => 1 - (1 - p) ** k;
    case "power-in-out": return (p) => (p < 0.5 ? (2 * p) ** k / 2 : 1 - (2 - 2 * p) ** k / 2);
    case "cubic-bezier": return bezier(...numbers);
    case "steps": return steps(numbers[0], list.split(",")[1]?.trim());
    case "step-start": return steps(1, "start");
    case "step-end": return steps(1);
    case "linear": if (list) return through(linearStops(list));
  }
  return (p) => p;
}

/** Distance left of a unit spring after `t` seconds: y'' + 2zwy' + w²y = 0, y(0) = 1, y'(0) = -velocity. */
function springRest(w, z, velocity, t) {
  const q = w * w * (1 - z * z);
  const a = z * w - velocity;
  const x = q * t * t;
  if (Math.abs(x) < 1e-6) {
    const fade = Math.exp(-z * w * t);
    return fade * (1 - x / 2) + a * fade * t * (1 - x / 6);
  }
  if (q > 0) {
    const root = Math.sqrt(q);
    return Math.exp(-z * w * t) * (Math.cos(root * t) + (a * Math.sin(root * t)) / root);
  }
  const root = Math.sqrt(-q);
  const slow = Math.exp((-w * w / (z * w + root)) * t);
  const fast = Math.exp((-z * w - root) * t);
  return (slow + fast) / 2 + (a * (slow - fast)) / (2 * root);
}

/** When a unit spring stays within `bound` of its end, found by walking back from its envelope. */
function settling(w, z, velocity, bound = 0.001) {
  const rate = z < 1 ? z * w : w / (z + Math.sqrt(z * z - 1));
  let t = Math.min(60, 12 / Math.max(rate, 1e-3));
  const step = t / 2000;
  while (t > step && Math.abs(springRest(w, z, velocity, t)) < bound) t -= step;
  return t + step;
}

/**
 * A spring in any of the contract's forms.
 * @returns {{at: (p: number) => number, duration: number}} its curve over progress 0…1, its settling time in seconds
 */
export function springPath(spring, duration = 0.5) {
  const v = +(spring.initialVelocity ?? 0);
  let z = spring.dampingRatio ?? 1, w;
  if (spring.stiffness) {
    const m = spring.mass ?? 1;
    w = Math.sqrt(spring.stiffness / m);
    z = spring.damping / (2 * Math.sqrt(spring.stiffness * m));
  } else if (spring.response) {
    w = (2 * Math.PI) / spring.response;
  } else if (spring.bounce !== undefined) {
    w = (2 * Math.PI) / (spring.duration ?? duration);
    z = spring.bounce >= 0 ? 1 - spring.bounce : 1 / (1 + spring.bounce);
  } else {
    // UIKit's form: the duration is the settling time. Time scales with 1/w, so the shape at w = 1 tells w,
    // but for the velocity, which scales too; a few rounds settle that.
    w = settling(1, z, 0) / duration;
    for (let i = 0; v && i < 12; i++) w *= settling(w, z, v) / duration;
  }
  const end = settling(w, z, v);
  return { at: (p) => (p >= 1 ? 1 : 1 - springRest(w, z, v, Math.max(0, p) * end)), duration: end };
}

/** The curve of a motion as the server describes it, with the seconds it takes. */
export function curveOf(motion) {
  const easing = motion.easing;
  const spring = motion.spring ?? (typeof easing === "object" && !Array.isArray(easing) ? easing?.spring ?? easing : null);
  if (spring) return springPath(spring, motion.duration);
  if (Array.isArray(easing)) return { at: through(easing), duration: motion.duration };
  return { at: parseEasing(easing ?? "linear"), duration: motion.duration };
}

/** An SVG path of a curve in a `width` x `height` box whose y runs from `low` to `high`. */
export function curvePath(at, width, height, low = -0.15, high = 1.25, samples = 80) {
  let path = "";
  for (let i = 0; i <= samples; i++) {
    const y = height - ((at(i / samples) - low) / (high - low)) * height;
    path += `${i ? "L" : "M"}${((i / samples) * width).toFixed(1)} ${y.toFixed(2)}`;
  }
  return path;
}
