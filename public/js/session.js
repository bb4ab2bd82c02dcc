// Signing in and out. The token is sent to the server once; then a cookie carries it that scripts can't read.
import { urlFor } from "./base-url.js";
import { make, setText, svg } from "./dom.js";
import { translate } from "./i18n.js";

/** Reaches the other tabs and the shared worker. */
const channel = new BroadcastChannel("session");
/** A second cookie, without the token but with the same lifetime, says that the first one exists. */
const SIGNED_IN = "tweencast_signed_in=1";

const reason = make("p", { role: "alert" });
const token = make("input", { type: "password", autocomplete: "current-password", required: "" });
const form = make("form", { class: "panel signin", "aria-label": translate("Sign in"), submit: signIn },
  make("h2", {}, translate("Sign in")), reason, make("label", {}, translate("Token"), token),
  make("div", { class: "go" },
    make("button", { class: "primary" }, translate("Sign in")),
    make("button", { type: "button", name: "later", click: closeSignIn }, translate("Not now"))));
const failure = make("p", { role: "alert" });
const signOutButton = make("button", { id: "signout", click: signOut },
  svg("0 0 16 16", "M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3"), translate("Sign out"));

/** Resolved when the user has signed in.
 *  @type {ReturnType<typeof Promise.withResolvers<void>> | null} */
let signedIn = null;
/** The element that had the focus before the form opened.
 *  @type {HTMLElement | null} */
let previousFocus = null;

document.querySelector("body > header")?.append(failure, signOutButton);
channel.addEventListener(
  "message", ({ data }) => (data === "in" ? finishSignIn() : location.reload())
);
updateSignOut();

/** @returns {boolean} */
export function isSignedIn() {
  return document.cookie.includes(SIGNED_IN);
}

/** Why a request failed, in the server's words.
 *  @param {Response | null} answer null if there was none
 *  @returns {Promise<string>} */
export async function problemText(answer) {
  const { detail } = (await answer?.json().catch(() => null)) ?? {};
  return detail ?? answer?.statusText ?? translate("No connection");
}

/** Asks for a token and says why. Takes the focus after an `act` of the user, or if nothing has it.
 *  @param {string} text why
 *  @param {boolean} [isUserAction]
 *  @returns {Promise<void>} resolved when the user has signed in, in any tab */
export function askForToken(text, isUserAction) {
  setText(reason, text);
  if (!form.isConnected) {
    previousFocus = /** @type {HTMLElement | null} */ (document.activeElement);
    document.querySelector("main")?.prepend(form);
  }
  if (isUserAction || (previousFocus === document.body && !scrollY)) token.focus();
  signedIn ??= Promise.withResolvers();
  return signedIn.promise;
}

/** Asks for a token unless the form is open already: its reason may be better, such as why a stream ended.
 *  @param {string} text why
 *  @returns {void} */
export function askForTokenOnce(text) {
  if (!form.isConnected) askForToken(text);
}

/** Closes the form.
 *  @returns {void} */
export function closeSignIn() {
  const hadFocus = form.contains(document.activeElement);
  form.remove();
  if (hadFocus) (previousFocus?.isConnected && previousFocus !== document.body ? previousFocus : signOutButton).focus();
}

/** @param {SubmitEvent} event */
async function signIn(event) {
  event.preventDefault();
  const text = token.value.trim();
  // The token is kept nowhere in the page.
  token.value = "";
  if (!/^[!-~]+$/.test(text)) {
    showProblem(translate("A token has no spaces, and no letters other than a to z"));
    return;
  }
  const headers = { Authorization: `Bearer ${text}` };
  const answer = await fetch(urlFor("/v1/session"), { method: "POST", headers })
    .catch(() => null);
  if (!answer?.ok) {
    showProblem(await problemText(answer));
    return;
  }
  document.cookie = `${SIGNED_IN}; Path=/; SameSite=Strict`;
  channel.postMessage("in");
  finishSignIn();
}

/** Screen readers don't repeat an unchanged text, so the text is removed first.
 *  @param {string} text */
function showProblem(text) {
  setText(reason, "");
  requestAnimationFrame(() => setText(reason, text));
  token.focus();
}

function finishSignIn() {
  updateSignOut();
  closeSignIn();
  signedIn?.resolve();
  signedIn = null;
}

/** Signs out and reloads all tabs, so that nothing confidential stays on them. */
async function signOut() {
  const answer = await fetch(urlFor("/v1/session"), { method: "DELETE" }).catch(() => null);
  if (!answer?.ok) {
    setText(failure, await problemText(answer));
    return;
  }
  document.cookie = `${SIGNED_IN}; Path=/; Max-Age=0`;
  channel.postMessage("out");
  location.reload();
}

function updateSignOut() {
  signOutButton.hidden = !isSignedIn();
}
