// Runs the package for the vectors that all clients pass, and for other tests: one line of JSON for each item.
//   node program.mjs items http://localhost:8080 ticker:revenue
//   node program.mjs motions < motions.json
//   node program.mjs add http://localhost:8080 revenue 1
// TWEENCAST_TOKEN has the token, HEARTBEAT the heartbeat in seconds to ask for.
import { readFileSync, writeSync } from "node:fs";
import { Client, Motion, TweencastError } from "@tweencast/client";

// Seconds for which an update is retried.
const PATIENCE = 60;

const [verb, url, ...words] = process.argv.slice(2);
const { TWEENCAST_TOKEN: token, HEARTBEAT: heartbeat } = process.env;

/** At once, also to a pipe. */
const print = (value) => writeSync(1, `${JSON.stringify(value)}\n`);

const options = { token: token || undefined, heartbeat: heartbeat ? Number(heartbeat) : undefined, patience: PATIENCE };
const connect = () => new Client(url, options);

async function printItems() {
  try {
    for await (const { type, name, topic, text, value, fraction, reason } of connect().items(words)) {
      if (type === "event") print({ item: type, name, topic, reason });
      else if (type === "frame") print({ item: type, topic, text, value, fraction });
      else print({ item: type });
    }
    print({ item: "ended" });
  } catch (error) {
    if (!(error instanceof TweencastError)) throw error;
    print({ item: "refused", status: error.status, detail: error.detail });
  }
}

function printMotions() {
  const vectors = JSON.parse(readFileSync(0, "utf8"));
  print(vectors.map(({ event, at }) => at.map((seconds) => new Motion(event).valueAt(seconds))));
}

if (verb === "items") await printItems();
else if (verb === "motions") printMotions();
else print((await connect().ticker(words[0]).add(words[1], { duration: 0.5 })).target);
