// The page's words by language. English stands where it is used; another language is a table by it.
// What the service says is the service's.

const GERMAN = {
  "Skip to the board": "Zur Tafel",
  "Connecting…": "Verbinde …",
  "Reconnecting…": "Verbinde neu …",
  "Live, {rate} Hz": "Live, {rate} Hz",
  "Connected": "Verbunden",
  "Not signed in": "Nicht angemeldet",
  "Nothing to show: {detail}": "Nichts zu zeigen: {detail}",
  "The token has expired": "Das Token ist abgelaufen",
  "The token was revoked": "Das Token wurde widerrufen",
  "Motion on this page": "Bewegung auf dieser Seite",
  "Live": "Live",
  "Settled": "Endwerte",
  "Paused": "Angehalten",
  "Inspect": "Untersuchen",
  "Settings": "Einstellungen",
  "Post where a number should go.": "Sag, wohin eine Zahl soll.",
  "Watch how it gets there.": "Sieh zu, wie sie hinkommt.",
  "One request moves a number on every screen that listens, over plain server-sent events.":
    "Eine Anfrage bewegt eine Zahl auf jedem Bildschirm, der zuhört, mit schlichten Server-Sent Events.",
  "Run 0 → 100": "0 → 100 starten",
  "Run {id} anew": "{id} noch einmal",
  "Board": "Tafel",
  "Cards": "Karten",
  "Filter": "Filter",
  "Filter by name or text": "Nach Name oder Text filtern",
  "Kind": "Art",
  "All kinds": "Alle Arten",
  "Tickers": "Ticker",
  "Progress": "Fortschritt",
  "Schedules": "Zeitpläne",
  "Order": "Reihenfolge",
  "By kind": "Nach Art",
  "By name": "Nach Name",
  "Newest": "Neueste",
  "Layout": "Anordnung",
  "Automatic": "Automatisch",
  "Rows": "Zeilen",
  "Wall": "Wand",
  "Select all": "Alle auswählen",
  "{shown} of {all}": "{shown} von {all}",
  "No card matches.": "Keine Karte passt.",
  "Nothing here yet. Start a motion, or post one with curl.":
    "Noch nichts da. Starte eine Bewegung, hier oder mit curl.",
  "Start something": "Etwas starten",
  "Selected and done": "Ausgewählt und getan",
  "Selected cards": "Ausgewählte Karten",
  "{count} selected": "{count} ausgewählt",
  "{count} hidden": "{count} verborgen",
  "Delete {count} of the board for good?": "{count} von der Tafel endgültig löschen?",
  "Stop {count} of the board where they are? Schedules are gone then.":
    "{count} auf der Tafel anhalten, wo sie sind? Zeitpläne sind dann weg.",
  "Stop": "Abbrechen",
  "Undo": "Rückgängig",
  "Delete {id}? That can't be undone.": "{id} löschen? Das lässt sich nicht rückgängig machen.",
  "Cancel all schedules, shown or not? That can't be undone.":
    "Alle Zeitpläne absagen, auch verborgene? Das lässt sich nicht rückgängig machen.",
  "Keep": "Behalten",
  "Pause": "Anhalten",
  "Resume": "Fortsetzen",
  "Finish": "Beenden",
  "Cancel": "Abbrechen",
  "Delete": "Löschen",
  "Clear": "Aufheben",
  "Pause all": "Alle anhalten",
  "Resume all": "Alle fortsetzen",
  "Cancel all": "Alle absagen",
  "The same with curl": "Dasselbe mit curl",
  "Copy": "Kopieren",
  "Copied": "Kopiert",
  "Not copied": "Nicht kopiert",
  "Edit": "Bearbeiten",
  "The form has no room for all that this does: change it with this line":
    "Das Formular hat nicht Platz für alles, was dies tut: Ändern Sie es mit dieser Zeile",
  "Copy value": "Wert kopieren",
  "Copy link": "Link kopieren",
  "Copy embed code": "Code zum Einbetten kopieren",
  "Copy overlay link": "Link fürs Overlay kopieren",
  "Say which number: ?ticker=revenue, ?progress=build or ?schedule=tea":
    "Sag, welche Zahl: ?ticker=revenue, ?progress=build oder ?schedule=tea",
  "Hide the line": "Zeile ausblenden",
  "API": "API",
  "Embedding": "Einbetten",
  "Self test": "Selbsttest",
  "Full screen": "Vollbild",
  "Copy kiosk link": "Kiosk-Link kopieren",
  "Leave the wall": "Wand verlassen",
  "Page {page} of {pages}": "Seite {page} von {pages}",
  "Theme": "Farben",
  "As the system has it": "Wie das System",
  "Light": "Hell",
  "Dark": "Dunkel",
  "Language": "Sprache",
  "As the browser has it": "Wie der Browser",
  "Speak values at rest to screen readers": "Werte in Ruhe für Screenreader vorlesen",
  "Keyboard": "Tastatur",
  "Key of the inspector (empty: none)": "Taste zum Untersuchen (leer: keine)",
  "Key {key}": "Taste {key}",
  "Arrow keys go from card to card, Space selects, Enter opens a card's tools, Escape leaves.":
    "Pfeiltasten gehen von Karte zu Karte, Leertaste wählt aus, Enter öffnet die Werkzeuge, Escape verlässt sie.",
  "Done": "Fertig",
  "and {count} more": "und {count} weitere",
  "ticker": "Ticker",
  "progress": "Fortschritt",
  "schedule": "Zeitplan",
  "Select {id}": "{id} auswählen",
  "Tools of {id}": "Werkzeuge für {id}",
  "Seek {id}": "{id} vor- und zurückspulen",
  "paused": "angehalten",
  "stalled": "stockt",
  "done": "fertig",
  "{rate}/s": "{rate}/s",
  "{eta} left": "noch {eta}",
  "every {every}": "alle {every}",
  "{count} times": "{count}-mal",
  "As": "Als",
  "bar": "Balken",
  "pie": "Torte",
  "ring": "Ring",
  "Name": "Name",
  "Letters, digits and . _ ~ : -": "Buchstaben, Ziffern und . _ ~ : -",
  "Label": "Beschriftung",
  "Due": "Fällig",
  "in": "in",
  "every": "alle",
  "at": "am",
  "cron": "Cron",
  "Seconds": "Sekunden",
  "Date": "Datum",
  "Cron expression": "Cron-Ausdruck",
  "Ticker": "Ticker",
  "Move": "Bewegen",
  "to": "auf",
  "by": "um",
  "Number": "Zahl",
  "Duration": "Dauer",
  "Response": "Ansprechzeit",
  "Curve": "Kurve",
  "Damping": "Dämpfung",
  "Velocity": "Tempo",
  "More": "Mehr",
  "Decimals": "Nachkommastellen",
  "From": "Von",
  "Delay": "Verzögerung",
  "Repeat": "Wiederholen",
  "There and back": "Hin und zurück",
  "Style": "Stil",
  "as the label has it": "wie die Beschriftung",
  "currency": "Währung",
  "percent": "Prozent",
  "compact": "kurz",
  "Currency": "Währung",
  "Locale": "Gebietsschema",
  "Then move ticker": "Danach den Ticker",
  "Start": "Starten",
  "Next, in the time of {zone}:": "Als Nächstes, nach der Zeit von {zone}:",
  "Never again": "Nie wieder",
  "Inspector": "Untersuchung",
  "Point at a card": "Zeig auf eine Karte",
  "Close": "Schließen",
  "A click takes a card, Enter or a double click too.": "Ein Klick nimmt eine Karte, auch Enter oder ein Doppelklick.",
  "Value": "Wert",
  "Motion": "Bewegung",
  "Share of the way over its time": "Anteil des Wegs über der Zeit",
  "Timing": "Zeiten",
  "Stream": "Strom",
  "Gap between frames": "Abstand der Frames",
  "Latency, 0 to 70 ms": "Verzug, 0 bis 70 ms",
  "Accessibility": "Barrierefreiheit",
  "Raw events": "Ereignisse, wie sie kommen",
  "Notes": "Notizen",
  "Notes for the report": "Notizen für den Bericht",
  "Copy report": "Bericht kopieren",
  "Sign in": "Anmelden",
  "Sign out": "Abmelden",
  "Token": "Token",
  "Not now": "Nicht jetzt",
  "No connection": "Keine Verbindung",
  "A token has no spaces, and no other letters than a to z":
    "Ein Token hat keine Leerzeichen und keine anderen Buchstaben als a bis z",
};

/** @type {Record<string, Record<string, string>>} */
const TABLES = { de: GERMAN };
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/;

/** What the reader wants: by the address, the settings, the browser. */
function wanted() {
  const asked = new URLSearchParams(location.search).get("lang");
  const { lang } = JSON.parse(localStorage.getItem("tweencast.settings") ?? "{}");
  const tag = asked || lang || navigator.language;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en";
  } catch {
    return "en";
  }
}

const tag = wanted();
const table = TABLES[tag.split("-")[0]];
/** Whose words and numbers the page has: English where it doesn't know the reader's.
 *  @type {string} */
export const language = table || tag.startsWith("en") ? tag : "en";

/** A text in the reader's language, with values in place of names in braces.
 *  @param {string} english
 *  @param {Record<string, unknown>} values
 *  @returns {string} */
export function words(english, values = {}) {
  return (table?.[english] ?? english).replace(/\{(\w+)\}/g, (_all, name) => `${values[name]}`);
}

/** Adds the words of one page, before it is translated.
 *  @param {Record<string, Record<string, string>>} tables by language
 *  @returns {void} */
export function learn(tables) {
  for (const [name, more] of Object.entries(tables)) Object.assign(TABLES[name] ?? {}, more);
}

/** Puts the words of markup into the reader's language.
 *  @param {Document | Element} root
 *  @returns {void} */
export function translate(root) {
  if (root === document) {
    const side = new URLSearchParams(location.search).get("dir") ?? (RIGHT_TO_LEFT.test(tag) ? "rtl" : "ltr");
    document.documentElement.dir = side === "rtl" ? "rtl" : "ltr";
    document.documentElement.lang = language;
  }
  if (!table) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Element) {
      for (const name of ["aria-label", "placeholder"]) {
        const text = node.getAttribute(name);
        if (text) node.setAttribute(name, words(text));
      }
    } else {
      const text = node.nodeValue?.trim().replace(/\s+/g, " ");
      if (text && table[text]) node.nodeValue = node.nodeValue?.replace(/\S[^]*\S|\S/, table[text]) ?? "";
    }
  }
}

const SPANS = /** @type {const} */ ([["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]]);
const relative = new Intl.RelativeTimeFormat(language, { style: "short", numeric: "auto" });

/** How long ago something was, such as `2 min. ago`.
 *  @param {number} milliseconds
 *  @returns {string} */
export function age(milliseconds) {
  let amount = milliseconds / 1000;
  for (const [unit, most] of SPANS) {
    // Within a few seconds a number that changes each second would be noise.
    if (unit === "second" && amount < 10) return relative.format(0, "second");
    if (amount < most) return relative.format(-(unit === "second" ? Math.floor(amount / 10) * 10 : Math.floor(amount)), unit);
    amount /= most;
  }
  return "";
}

/** Where something goes, behind an arrow the way that the page is read; in a line from left to right.
 *  @param {string} goal
 *  @returns {string} */
export const towards = (goal) => document.dir === "rtl" ? `${goal} ←` : `→ ${goal}`;

/** A difference with its sign and an arrow.
 *  @param {number} difference
 *  @param {number} decimals as the number itself shows
 *  @returns {string} nothing where it is rounded away */
export function change(difference, decimals) {
  const isLong = Math.abs(difference) >= 1e6;
  const text = new Intl.NumberFormat(language, {
    signDisplay: "exceptZero", maximumFractionDigits: Math.min(isLong ? 1 : decimals, 20), notation: isLong ? "compact" : "standard",
  }).format(difference);
  if (!/[1-9]/.test(text)) return "";
  return `${difference > 0 ? "▲" : "▼"} ${text}`;
}
