// Writes Sources/Libraries/Locales/Words/WordPatterns+data.swift from the CLDR data of the Node that runs it:
//   node Sources/Libraries/Locales/Words/make-word-patterns.mjs > Sources/Libraries/Locales/Words/WordPatterns+data.swift
// Units, lists of them and long compact notation are what FormatStyle doesn't offer on Linux. The data
// is Unicode's: LICENSE-UNICODE goes with it.

// Parents stand before their children, and of those only the differences are written.
const locales = ("root af am ar as az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy " +
  "id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl nn or pa pl pt ro ru si sk sl sq sr sv sw ta te " +
  "th tr uk ur uz vi zh zu bs-Cyrl hi-Latn kk-Arab sr-Latn uz-Cyrl zh-Hant zh-Hant-HK zh-Hans-HK ar-SA " +
  "en-001 en-GB en-AU en-CA en-HK en-IE en-IN en-NZ en-SG en-ZA " +
  "es-419 es-MX es-AR es-US es-CO es-CL es-PY fr-CA fr-CH de-CH de-AT pt-PT").split(" ")
// A locale without words of its own has the root's.
const rootSpeaker = "agq"
// As in WordPatterns+lineage.swift.
const parents = { "bs-Cyrl": "root", "hi-Latn": "root", "kk-Arab": "root", "sr-Latn": "root", "uz-Cyrl": "root",
  "zh-Hant": "root", "zh-Hant-HK": "zh-Hant", "en-001": "en", "es-419": "es",
  ...Object.fromEntries("GB AU CA HK IE IN NZ SG ZA".split(" ").map((region) => [`en-${region}`, "en-001"])),
  ...Object.fromEntries("MX AR US CO CL PY".split(" ").map((region) => [`es-${region}`, "es-419"])) }
const units = ("acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram " +
  "hectare hour inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile " +
  "mile-scandinavian milliliter millimeter millisecond minute month nanosecond ounce percent petabyte pound second " +
  "stone terabit terabyte week yard year kilometer-per-hour mile-per-hour meter-per-second mile-per-gallon " +
  "liter-per-kilometer byte-per-second kilobyte-per-second megabyte-per-second gigabyte-per-second bit-per-second " +
  "kilobit-per-second megabit-per-second gigabit-per-second").split(" ")
const samples = [100, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 20, 21, 22, 101, 102, 103, 1000000, 1.5, 0.1, 2.1]
const isNumber = (part) => ["integer", "group", "decimal", "fraction", "minusSign"].includes(part.type)

function pattern(parts) {
  const first = parts.findIndex(isNumber), last = parts.findLastIndex(isNumber)
  const text = (list) => list.map((part) => part.value).join("")
  if (first < 0) return text(parts)
  return text(parts.slice(0, first)) + "{0}" + text(parts.slice(last + 1))
}

// The category is that of the digits shown: 1 Million, 2 Millionen.
// Some languages leave the number out: Arabic "one day", Italian "mille". French does so for 1 alone, not for -1 or 1.5,
// which are of the same category.
function forms(locale, options, values, scale = 1) {
  const found = {}, exact = {}
  const plurals = new Intl.PluralRules(locale)
  const format = new Intl.NumberFormat(locale + "-u-nu-latn", options)
  for (const value of values) {
    const category = plurals.select(value / scale)
    const text = pattern(format.formatToParts(value))
    const hasDigits = (value) => format.formatToParts(value).some((part) => part.type === "integer")
    if (hasDigits(value) === hasDigits(-value)) found[category] ??= text
    else exact[value / scale] = text
  }
  const other = found.other ?? found.many ?? Object.values(found)[0]
  const rest = Object.entries(found).filter(([name, text]) => name !== "other" && text !== other)
  return [other, ...[...rest, ...Object.entries(exact)].map(([name, text]) => `${name}=${text}`)].join("^")
}

const lines = [], written = new Map()
function inherited(locale, name) {
  if (locale === "root") return undefined
  const parent = parents[locale] ?? (locale.includes("-") ? locale.split("-")[0] : "root")
  return written.get(`${parent}|${name}`) ?? inherited(parent, name)
}
function add(locale, name, fields) {
  if (inherited(locale, name) === fields) return
  written.set(`${locale}|${name}`, fields)
  lines.push(`${locale}|${name}|${fields}`)
}
// What stands between two units: 2 hours, 5 minutes.
function separator(locale, style) {
  const [, between] = /^A(.*)B$/u.exec(new Intl.ListFormat(locale, { type: "unit", style }).format(["A", "B"]))
  return between
}
for (const locale of locales) {
  const speaker = locale === "root" ? rootSpeaker : locale
  for (const unit of units) {
    const form = (unitDisplay) => forms(speaker, { style: "unit", unit, unitDisplay }, samples)
    add(locale, unit, `${form("short")}|${form("long")}`)
  }
  // What stands around any unit to make it one of so much for each of these: liters per minute.
  for (const unit of units.filter((name) => !name.includes("-per-"))) {
    const numerator = unit === "gram" ? "liter" : "gram"
    const around = (unitDisplay) => {
      const text = (name) =>
        new Intl.NumberFormat(speaker + "-u-nu-latn", { style: "unit", unit: name, unitDisplay }).format(100)
      return text(`${numerator}-per-${unit}`).replace(text(numerator), "{0}")
    }
    add(locale, `/${unit}`, `${around("short")}|${around("long")}`)
  }
  add(locale, "units", `${separator(speaker, "short")}|${separator(speaker, "long")}`)
  if (locale === "root") continue
  for (let magnitude = 3; magnitude < 15; magnitude++) {
    const options = { notation: "compact", compactDisplay: "long", maximumFractionDigits: 1 }
    const format = new Intl.NumberFormat(locale + "-u-nu-latn", options)
    // Twice the power: French and Italian write a thousand as a word alone.
    const count = format.formatToParts(2 * 10 ** magnitude).filter((part) => part.type === "integer")
      .reduce((sum, part) => sum + part.value.length, 0)
    const shift = magnitude - count + 1
    const leading = count === 1 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 1.1, 1.2, 1.5]
      : count === 2 ? [10, 11, 12, 13, 14, 15, 20, 21, 22, 30, 10.5]
      : [100, 101, 102, 103, 104, 105, 111, 121, 122, 100.5]
    const values = leading.map((value) => Math.round(value * 10 ** shift))
    add(locale, `10^${magnitude}`, `${shift}|${forms(locale, options, values, 10 ** shift)}`)
  }
}
console.log(`// Words beside numbers, from CLDR ${process.versions.cldr}: units (short and long) and long compact notation.
// Generated by make-word-patterns.mjs; {0} is the number, ^ separates plural forms, the first is \`other\`.

extension WordPatterns {
    static let data = #"""
${lines.map((line) => "        " + line).join("\n")}
        """#
}`)
