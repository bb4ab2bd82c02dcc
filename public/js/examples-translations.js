// The words of the page of examples.

export const GERMAN = {
  "What is shown here moves with JavaScript, which is turned off.":
    "Was hier steht, bewegt sich mit JavaScript, und das ist ausgeschaltet.",
  "Numbers on a page of your own": "Zahlen auf der eigenen Seite",
  "One script tag, and each element shows one resource of this server. All share one stream. What you see beside the code is what it makes.":
    "Ein Script-Tag, und jedes Element zeigt eine Ressource dieses Servers. Alle teilen sich einen Strom. Neben dem Code steht, was er macht.",
  "Some of what is shown here isn't on this server.":
    "Einiges von dem, was hier gezeigt wird, gibt es auf diesem Server nicht.",
  "Make it": "Anlegen",
  "The script": "Das Script",
  "Once in a page. A server on another origin has to know yours.":
    "Einmal je Seite. Ein Server mit anderem Ursprung muss den der Seite kennen.",
  "A number": "Eine Zahl",
  "The text between the tags stands there until the first number comes, and without script.":
    "Der Text zwischen den Tags steht da, bis die erste Zahl kommt, und auch ohne Script.",
  "On wheels": "Auf Rädern",
  "Digits turn. They stand in any text, font and script, and can be selected and copied.":
    "Die Ziffern drehen sich. Sie stehen in jedem Text, jeder Schrift, und lassen sich auswählen und kopieren.",
  "At the rate of the screen": "Im Takt des Bildschirms",
  "One event an update: the motion itself is sent, and drawn here.":
    "Ein Ereignis je Änderung: Gesendet wird die Bewegung selbst, gezeichnet wird sie hier.",
  "A bar, pie or ring. What has no attribute is as the server says.":
    "Balken, Torte oder Ring. Wofür kein Attribut da ist, gilt, was der Server sagt.",
  "A schedule": "Ein Zeitplan",
  "Counts down to when it fires next.": "Zählt herunter bis zum nächsten Mal.",
  "Your own elements": "Eigene Elemente",
  "With": "Mit",
  "any element shows a resource: a heading, a cell, a field, a meter.":
    "zeigt jedes Element eine Ressource: Überschrift, Zelle, Feld, Messbalken.",
  "From its first sight on": "Ab dem ersten Blick",
  "Counts up when it is scrolled to, in 1.5 seconds unless":
    "Zählt hoch, wenn man hinscrollt, in 1,5 Sekunden, wenn nicht",
  "says another time.": "eine andere Zeit nennt.",
  "Once more": "Noch einmal",
  "Looks": "Aussehen",
  "Parts, states and custom properties are there for your style sheet.":
    "Teile, Zustände und eigene Eigenschaften sind für das Stylesheet der Seite da.",
  "Events": "Ereignisse",
  "Frames, ends, milestones, and whether what is shown is so.":
    "Frames, Enden, Meilensteine, und ob das Gezeigte noch gilt.",
  "Motion is the reader's to stop": "Wer liest, darf Bewegung anhalten",
  "Who asks their system for less motion gets values at rest. Give all others a switch, as the one above.":
    "Wer vom System weniger Bewegung will, bekommt Endwerte. Allen anderen gehört ein Schalter wie der oben.",
  "Selecting": "Auswählen",
  "Drag a rectangle, click, or use the arrow keys and the space bar. Ctrl adds or takes away, Shift selects to there.":
    "Ein Rechteck ziehen, klicken, oder Pfeiltasten und Leertaste. Strg nimmt dazu oder weg, Umschalt wählt bis dorthin.",
  "Selected:": "Ausgewählt:",
  "Save": "Speichere",
  "beside your code, and tell the compiler where it is.":
    "beim eigenen Code und sag dem Compiler, wo es liegt.",
  "Every card of the board gives its own code:": "Jede Karte der Tafel gibt ihren eigenen Code her:",
  ", then": ", dann",
  "Code": "Code",
};
