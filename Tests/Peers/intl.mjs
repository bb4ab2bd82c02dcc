// How Node's Intl writes numbers. Reads a line of JSON for each, `{"locale", "options", "number"}`, and writes the text
// as JSON, or null where Intl takes no such options.
import { createInterface } from "node:readline"

for await (const line of createInterface({ input: process.stdin })) {
  const { locale, options, number } = JSON.parse(line)
  let text = null
  try {
    // A string keeps all of its digits.
    text = new Intl.NumberFormat(locale, options).format(number)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  console.log(JSON.stringify(text))
}
