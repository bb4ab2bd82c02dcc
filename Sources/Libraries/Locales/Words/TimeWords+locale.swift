// Words for durations in a locale's language: CLDR's units, composed from a number format and patterns.

public import Labels

extension TimeWords {
    /// Returns the words of a locale. Slow (some tens of microseconds to milliseconds): for updates, never for frames.
    ///
    /// Units and separators are CLDR's. Phrases for a task (`paused`, `2 hours left`) exist for the languages in
    /// TimePhrases+languages.swift; others use English.
    ///
    /// - Parameter locale: A BCP 47 tag, such as `de-DE`.
    /// - Throws: `locale` if there are no data for it.
    public static func words(in locale: String) throws(NumberFormatError) -> TimeWords {
        words(in: locale, number: try NumberPlanCompiler.plan(for: NumberFormat(locale: locale), decimals: 0))
    }

    /// Returns the words of a locale with a known number format; takes about ten microseconds.
    /// - Parameter number: For integers in that locale.
    package static func words(in locale: String, number: NumberPlan) -> TimeWords {
        // Days are grouped like numbers, but counts in a label are not: a year of seconds isn't read as one number.
        var ungrouped = number
        ungrouped.grouping = .none
        let tag = LanguageTag(locale)?.text ?? locale
        let separators = WordPatterns.separators(locale: tag) ?? (" ", ", ")
        return TimeWords(
            locale: locale, number: ungrouped,
            symbols: Units(units(spans, .short, tag, number), separator: separators.short),
            words: Units(units(spans, .long, tag, number), separator: separators.long),
            larger: units(["week", "month", "year"], .long, tag, number),
            phrases: TimePhrases.phrases(in: tag))
    }

    private static let spans = ["day", "hour", "minute", "second"]

    private static func units(
        _ names: [String], _ width: NumberFormat.Width, _ locale: String, _ number: NumberPlan
    ) -> [Unit] {
        let rule = PluralRule(language: locale)
        return names.map { name in
            guard let patterns = WordPatterns.unit(name, width, locale: locale) else { return Unit(number) }
            var plan = number
            plan.plural = patterns.affixes(with: number.affixes, signsOutside: false, rule: rule)
            return Unit(plan)
        }
    }
}
