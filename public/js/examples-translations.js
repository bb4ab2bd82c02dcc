// German translations of the page of examples.

export const GERMAN = {
  "Numbers on a page of your own": "Zahlen auf der eigenen Seite",
  "One script tag, and each element shows one resource of this server. All share one stream. Beside the code you see its result.":
    "Ein Script-Tag, und jedes Element zeigt eine Ressource dieses Servers. Alle teilen sich einen Strom. Neben dem Code steht das Ergebnis.",
  "Some of these resources don't exist on this server.":
    "Einige dieser Ressourcen gibt es auf diesem Server nicht.",
  "Create them": "Anlegen",
  "The script": "Das Script",
  "Once per page. A server on another origin must allow yours.":
    "Einmal je Seite. Ein Server mit anderem Ursprung muss den der Seite erlauben.",
  "A number": "Eine Zahl",
  "The text between the tags shows until the first number arrives, and without JavaScript.":
    "Der Text zwischen den Tags ist zu sehen, bis die erste Zahl kommt, und ohne JavaScript.",
  "On wheels": "Auf Rädern",
  "Digits turn. They work in any text, font and script, and can be selected and copied.":
    "Die Ziffern drehen sich. Das geht in jedem Text, jeder Schriftart und jedem Schriftsystem; sie lassen sich auswählen und kopieren.",
  "At the rate of the screen": "Im Takt des Bildschirms",
  "One event per update: the server sends the motion, and the page draws it.":
    "Ein Ereignis je Änderung: Der Server sendet die Bewegung, die Seite zeichnet sie.",
  "A bar, pie or ring. Without an attribute, the server's appearance applies.":
    "Balken, Torte oder Ring. Ohne Attribut gilt, was der Server vorgibt.",
  "A schedule": "Ein Zeitplan",
  "Counts down to its next firing.": "Zählt bis zur nächsten Auslösung herunter.",
  "Your own elements": "Eigene Elemente",
  "With": "Mit",
  "any element shows a resource: a heading, a cell, a field, a meter.":
    "zeigt jedes Element eine Ressource: Überschrift, Zelle, Feld, Messbalken.",
  "When it becomes visible": "Sobald es sichtbar wird",
  "Counts up when it is scrolled into view, in 1.5 seconds unless":
    "Zählt hoch, sobald es ins Bild gescrollt wird, in 1,5 Sekunden, wenn nicht",
  "says otherwise.": "etwas anderes sagt.",
  "Once more": "Noch einmal",
  "Looks": "Aussehen",
  "Your style sheet can use parts, states and custom properties.":
    "Das Stylesheet der Seite kann Parts, Zustände und Custom Properties nutzen.",
  "Events": "Ereignisse",
  "Frames, ends, milestones, and whether the value is current.":
    "Frames, Enden, Meilensteine, und ob der Wert aktuell ist.",
  "Readers can stop motion": "Wer liest, kann Bewegung anhalten",
  "Readers whose system asks for reduced motion see values at rest. Give all others a switch like the one above.":
    "Wer im System weniger Bewegung eingestellt hat, sieht Endwerte. Alle anderen brauchen einen Schalter wie den oben.",
  "Selecting": "Auswählen",
  "Drag a rectangle, click, or use the arrow keys and the space bar. Ctrl toggles, Shift selects a range.":
    "Ein Rechteck ziehen, klicken, oder Pfeiltasten und Leertaste benutzen. Strg wählt zusätzlich aus oder ab, Umschalt wählt einen Bereich.",
  "Selected:": "Ausgewählt:",
  "Save": "Speichere",
  "beside your code, and tell the compiler where it is.":
    "beim eigenen Code und sag dem Compiler, wo es liegt.",
  "Every card of the board has its own code:": "Jede Karte der Tafel hat ihren eigenen Code:",
  ", then": ", dann",
  "Code": "Code",
};
