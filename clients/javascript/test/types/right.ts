// What a strict program may do with the package.
import {
  Client, Motion, TweencastError,
  type Amount, type Frame, type MotionEvent, type ResourceState, type StreamItem, type Ticker,
} from "@tweencast/client";

const stop = new AbortController();
const client = new Client("http://localhost:8080", {
  token: "secret", patience: 60, heartbeat: 5, random: () => 0.5, onRetry: (error) => error.message.trim(),
});
const revenue: Ticker = client.ticker("revenue");
const amounts: Amount[] = [250, 10n ** 30n, "-12.50"];

export async function move(): Promise<number | undefined> {
  for (const amount of amounts) await revenue.set(amount, { duration: 2, label: "$0.00", easing: "ease-out" });
  const state: ResourceState = await revenue.add(1, { key: "job-4711", signal: stop.signal, fields: { delay: 1 } });
  await client.progress("build").set(42, { of: null, from: "0" });
  await client.progress("build").set(42, { of: 100 });
  await client.progress("build").cancel();
  await client.notify("deploy", { version: "1.2" });
  await revenue.delete();
  const due: unknown = (await client.schedule("open").get()).due;
  for await (const { text } of client.list("ticker", { prefix: "room-" })) text.trim();
  return due ? state.target : state.value;
}

export async function show(): Promise<void> {
  for await (const frame of revenue.frames({ fps: 10 })) draw(frame);
  for await (const item of client.items(["ticker:*"], { signal: stop.signal, mode: "motion", lastEventID: "1-1" })) {
    tell(item);
  }
}

function draw({ topic, text, value }: Frame): string {
  return `${topic} ${text.trim()} ${value?.toFixed(2)}`;
}

function tell(item: StreamItem): string {
  if (item.type === "frame") return draw(item);
  if (item.type === "disconnected") return item.reason;
  if (item.type === "connected") return "connected";
  if (item.name === "motion") return at(item.data as MotionEvent);
  return `${item.name} ${item.topic?.length} ${item.reason ?? ""} ${item.data["value"]}`;
}

function at(event: MotionEvent): string {
  const motion = new Motion(event);
  const value: number = motion.valueAt(0.5);
  return motion.textAt(0.5) ?? `${value} ${motion.fractionAt(1)?.toFixed(2)} ${motion.hasEndedAt(2)}`;
}

export function problem(error: unknown): string {
  if (!(error instanceof TweencastError)) return "another";
  return `${error.status.toFixed()} ${error.title ?? ""} ${error.detail} ${error.pointer ?? ""} ${error.isTemporary}`;
}
