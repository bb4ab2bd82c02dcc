// Signing in and out. The token goes to the server once, which has a cookie carry it that no script
// can read.
import { drawing, make, write } from "./tween-element.js";
import { addressOf } from "./base-url.js";
import { words } from "./i18n.js";

/** Tells the other tabs, and who holds their stream. */
const channel = new BroadcastChannel("session");
/** A cookie without the token, of the same lifetime, says that there is the other. */
const MARK = "tweencast_signed_in=1";

const reason = make("p", { role: "alert" });
const token = make("input", { type: "password", autocomplete: "current-password", required: "" });
const form = make("form", { class: "panel signin", "aria-label": words("Sign in"), submit: enter },
  make("h2", {}, words("Sign in")), reason, make("label", {}, words("Token"), token),
  make("div", { class: "go" },
    make("button", { class: "primary" }, words("Sign in")),
    make("button", { type: "button", name: "later", click: dismiss }, words("Not now"))));
const failure = make("p", { role: "alert" });
const out = make("button", { id: "signout", click: leave },
  drawing("0 0 16 16", "M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3"), words("Sign out"));

/** Those who wait until somebody has signed in.
 *  @type {ReturnType<typeof Promise.withResolvers<void>> | null} */
let entered = null;
/** What had the focus before the form came.
 *  @type {HTMLElement | null} */
let before = null;

document.querySelector("body > header")?.append(failure, out);
channel.addEventListener(
  "message", ({ data }) => (data === "in" ? welcome() : location.reload())
);
show();

/** @returns {boolean} */
export function isSignedIn() {
  return document.cookie.includes(MARK);
}

/** Why something was refused, in the service's words.
 *  @param {Response | null} answer nothing where none came
 *  @returns {Promise<string>} */
export async function problemOf(answer) {
  const { detail } = (await answer?.json().catch(() => null)) ?? {};
  return detail ?? answer?.statusText ?? words("No connection");
}

/** Asks for a token and says why. The focus goes there for an `act` of the reader's, or where it is
 *  nowhere yet.
 *  @param {string} text why
 *  @param {boolean} [act]
 *  @returns {Promise<void>} kept when somebody has signed in, in any tab */
export function askFor(text, act) {
  write(reason, text);
  if (!form.isConnected) {
    before = /** @type {HTMLElement | null} */ (document.activeElement);
    document.querySelector("main")?.prepend(form);
  }
  if (act || (before === document.body && !scrollY)) token.focus();
  entered ??= Promise.withResolvers();
  return entered.promise;
}

/** Asks, unless it is asked already: that may have been with better words, such as why a stream
 *  ended.
 *  @param {string} text why
 *  @returns {void} */
export function hint(text) {
  if (!form.isConnected) askFor(text);
}

/** Takes the form away.
 *  @returns {void} */
export function dismiss() {
  const hadFocus = form.contains(document.activeElement);
  form.remove();
  if (hadFocus) (before?.isConnected && before !== document.body ? before : out).focus();
}

/** @param {SubmitEvent} event */
async function enter(event) {
  event.preventDefault();
  const text = token.value.trim();
  // It stays nowhere in the page.
  token.value = "";
  if (!/^[!-~]+$/.test(text)) {
    refuse(words("A token has no spaces, and no other letters than a to z"));
    return;
  }
  const headers = { Authorization: `Bearer ${text}` };
  const answer = await fetch(addressOf("/v1/session"), { method: "POST", headers })
    .catch(() => null);
  if (!answer?.ok) {
    refuse(await problemOf(answer));
    return;
  }
  document.cookie = `${MARK}; Path=/; SameSite=Strict`;
  channel.postMessage("in");
  welcome();
}

/** Words that stay the same are not spoken: they go and come anew.
 *  @param {string} text */
function refuse(text) {
  write(reason, "");
  requestAnimationFrame(() => write(reason, text));
  token.focus();
}

function welcome() {
  show();
  dismiss();
  entered?.resolve();
  entered = null;
}

/** All tabs begin anew: nothing of what could be read stays on them. */
async function leave() {
  const answer = await fetch(addressOf("/v1/session"), { method: "DELETE" }).catch(() => null);
  if (!answer?.ok) {
    write(failure, await problemOf(answer));
    return;
  }
  document.cookie = `${MARK}; Path=/; Max-Age=0`;
  channel.postMessage("out");
  location.reload();
}

function show() {
  out.hidden = !isSignedIn();
}
