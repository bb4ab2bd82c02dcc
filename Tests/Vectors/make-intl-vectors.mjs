// Writes intl.json and plurals.json: what the Intl of the Node that runs it says about random numbers.
//   node Tests/Vectors/make-intl-vectors.mjs [count]
// The seed is fixed, so that the same Node writes the same files.

import { writeFileSync } from "node:fs"

const count = Number(process.argv[2] ?? 2600)
const folder = new URL(".", import.meta.url)
let state = 20261120
const random = () => {
  state = (state + 0x6D2B79F5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}
const pick = (list) => list[Math.floor(random() * list.length)]

const locales = ("en-US en-GB en-IN en-AU en-CA en-ZA de-DE de-CH de-AT fr-FR fr-CH fr-CA es-ES es-MX es-AR it-IT " +
  "it-CH pt-BR pt-PT nl-NL sv-SE nb-NO da-DK fi-FI pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG hr-HR sl-SI sr-RS ru-RU uk-UA " +
  "lt-LT lv-LV et-EE el-GR tr-TR he-IL ar-EG ar-SA ar-MA fa-IR ur-PK hi-IN mr-IN bn-BD ta-IN te-IN th-TH vi-VN id-ID " +
  "ms-MY fil-PH ja-JP ko-KR zh-CN zh-TW sw-KE am-ET ne-NP my-MM gl-ES ca-ES eu-ES af-ZA is-IS ga-IE cy-GB " +
  "ar-u-nu-latn en-u-nu-arab th-TH-u-nu-thai zh-CN-u-nu-hanidec").split(" ")
const worded = new Set(("ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv mr ms nb nl pl pt ro " +
  "ru sk sl sr sv sw ta th tr uk ur vi zh").split(" "))
const currencies = ["USD", "EUR", "GBP", "JPY", "KWD", "CHF", "INR", "BRL", "SEK", "EGP"]
const units = ["kilometer-per-hour", "celsius", "gigabyte", "day", "kilogram", "liter", "percent", "megabit-per-second"]
const modes = { ceil: "ceil", floor: "floor", expand: "expand", trunc: "trunc", "half-ceil": "halfCeil",
  "half-floor": "halfFloor", "half-trunc": "halfTrunc", "half-even": "halfEven" }

function value() {
  const digits = Math.floor(random() * 13)
  const text = (random() * 10 ** digits).toFixed(Math.floor(random() * 5))
  const tie = random() < 0.15 ? text.replace(/\.\d*$/, "") + pick([".5", ".25", ".125", ".005", ".0005"]) : text
  return random() < 0.3 ? "-" + tie : tie
}

function format(locale) {
  const language = locale.split("-")[0]
  const style = pick(["decimal", "decimal", "currency", "currency", "percent", "compact", "unit"])
  const ours = { style }, theirs = { signDisplay: "negative" }
  const set = (key, value, name = key, theirValue = value) => { ours[key] = value; theirs[name] = theirValue }
  switch (style) {
    case "currency":
      set("currency", pick(currencies))
      theirs.style = "currency"
      if (random() < 0.3) set("currencyDisplay", pick(["code", "name"]))
      if (random() < 0.2) set("currencyDisplay", "narrow-symbol", "currencyDisplay", "narrowSymbol")
      if (random() < 0.3) set("currencySign", "accounting")
      break
    case "percent": theirs.style = "percent"; break
    case "unit":
      if (!worded.has(language)) return format(locale)
      set("unit", pick(units))
      theirs.style = "unit"
      if (random() < 0.4) set("unitDisplay", "long")
      break
    case "compact":
      theirs.notation = "compact"
      if (worded.has(language) && random() < 0.4) set("compactDisplay", "long")
      break
  }
  if (random() < 0.2) set("minimumIntegerDigits", Math.ceil(random() * 4))
  if (random() < 0.35) {
    const minimum = Math.floor(random() * 4)
    set("minimumDecimals", minimum, "minimumFractionDigits")
    set("maximumDecimals", minimum + Math.floor(random() * 3), "maximumFractionDigits")
  }
  if (random() < 0.15) set("grouping", "never", "useGrouping", false)
  else if (random() < 0.1) set("grouping", "always", "useGrouping", "always")
  else if (random() < 0.1) set("grouping", "min2", "useGrouping", "min2")
  if (random() < 0.1) set("sign", "never", "signDisplay")
  else if (random() < 0.1) set("sign", "except-zero", "signDisplay", "exceptZero")
  if (random() < 0.3) {
    const mode = pick(Object.keys(modes))
    set("rounding", mode, "roundingMode", modes[mode])
  }
  return { ours, theirs }
}

const lines = []
for (let index = 0; index < count; index++) {
  const locale = pick(locales)
  const { ours, theirs } = format(locale)
  const number = value()
  const text = new Intl.NumberFormat(locale, theirs).format(number)
  lines.push(JSON.stringify({ kind: "number", id: String(index), locale, format: ours, value: number, text }))
}

// Differences that a run with a large count shows, and that this count may miss.
const money = (currency) => [{ style: "currency", currency, currencyDisplay: "name" }]
const rare = [["af-ZA", ...money("INR")], ["sv-SE", ...money("USD")], ["te-IN", ...money("EUR")],
  ["zh-TW", ...money("SEK")], ["es-AR", { style: "compact" }],
  ["it-CH", { style: "compact" }, "-278030"], ["bn-BD", { style: "compact" }, "61438829741"]]
rare.forEach(([locale, ours, number = "6918430246.88"], index) => {
  const theirs = ours.style === "compact" ? { notation: "compact", compactDisplay: ours.compactDisplay } : ours
  const text = new Intl.NumberFormat(locale, theirs).format(number)
  lines.push(JSON.stringify({ kind: "number", id: `rare ${index}`, locale, format: ours, value: number, text }))
})
const about = `Intl of Node ${process.version}, ICU ${process.versions.icu}, CLDR ${process.versions.cldr}`
writeFileSync(new URL("intl.json", folder), `{"about":"${about}","cases":[\n${lines.join(",\n")}\n]}\n`)

const numbers = [...Array(204).keys()].map(String).concat(["1000", "1001", "1002", "10000", "20003", "40000", "100000",
  "1000000", "1000001", "2000000", "0.0", "0.1", "0.2", "0.5", "1.0", "1.1", "1.00", "1.01", "1.11", "1.12", "1.21",
  "1.5", "2.0", "2.1", "2.11", "2.3", "3.1", "4.11", "5.01", "10.1", "11.0", "11.1", "12.0", "13.21", "20.1", "100.3"])
const languages = Intl.PluralRules.supportedLocalesOf(("af ak am an ar as asa ast az bal be bem bez bg bho bm bn bo br " +
  "brx bs ca ce ceb cgg chr ckb cs csw cy da de dsb dv dz ee el en eo es et eu fa ff fi fil fo fr fur fy ga gd gl gsw " +
  "gu guw gv ha haw he hi hr hsb hu hy ia id ig ii is it iu ja jgo jmc jv ka kab kaj kcg kde kea kk kkj kl km kn ko ks " +
  "ksb ksh ku kw ky lag lb lg lij lkt ln lo lt lv mas mg mgo mk ml mn mr ms mt my nah naq nb nd ne nl nn nnh no nqo nr " +
  "nso ny nyn om or os pa pap pcm pl prg ps pt pt-PT rm ro rof ru rwk sah saq sat sc scn sd se seh ses sg shi si sk " +
  "sl sma smj smn sms sn so sq sr ss ssy st su sv sw syr ta te teo th ti tig tk tn to tr ts tzm ug uk ur uz ve vec vi vo " +
  "vun wa wae wo xh xog yi yo yue zh zu").split(" "))
// Languages with the same rules share a line.
const groups = new Map()
for (const language of languages) {
  const found = {}
  for (const number of numbers) {
    const decimals = number.split(".")[1]?.length ?? 0
    const rules = new Intl.PluralRules(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    ;(found[rules.select(Number(number))] ??= []).push(number)
  }
  const key = JSON.stringify(found)
  groups.set(key, [...(groups.get(key) ?? []), language])
}
const plurals = [...groups].map(([categories, languages]) =>
  `{"kind":"plural","id":"${languages[0]}","languages":"${languages.join(" ")}","categories":${categories}}`)
writeFileSync(new URL("plurals.json", folder), `{"about":"${about}","cases":[\n${plurals.join(",\n")}\n]}\n`)
