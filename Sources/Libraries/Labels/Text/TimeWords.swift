// A language's words for times: units with their counts, the separator between two, and phrases for a task's state.

/// Words for durations and states: `2 hours, 5 minutes`, `paused`.
///
/// English without a locale; the library Locales creates those of a locale. A class, since all labels of a locale share one.
public final class TimeWords: Hashable, Sendable {
    /// A unit of time in a language.
    package struct Unit: Sendable {
        /// Writes the count and the unit.
        let plan: NumberPlan

        /// - Parameter plan: For integers, with the unit as affixes.
        package init(_ plan: NumberPlan) {
            self.plan = plan
        }

        func append(_ count: Int, to bytes: inout [UInt8]) { plan.append(Double(count), to: &bytes) }
    }

    /// Days, hours, minutes and seconds, and the separator between two of them.
    package struct Units: Sendable {
        let all: [Unit]
        let separator: [UInt8]

        /// - Parameters:
        ///   - all: Days, hours, minutes and seconds, in this order.
        ///   - separator: The text between two.
        package init(_ all: [Unit], separator: String) {
            precondition(all.count == 4)
            self.all = all
            self.separator = Array(separator.utf8)
        }
    }

    /// The tag the words were made for, which identifies them; empty for English without a locale.
    public let locale: String
    /// How an integer is written, without groups.
    let number: NumberPlan
    let symbols: Units
    let words: Units
    /// Weeks, months and years, which aren't counted here.
    let larger: [Unit]
    /// Phrases for a task's state.
    let phrases: TimePhrases

    /// - Parameters:
    ///   - locale: A BCP 47 tag.
    ///   - number: For integers.
    ///   - symbols: The short forms.
    ///   - words: The long forms.
    ///   - larger: Weeks, months and years in long form.
    package init(
        locale: String, number: NumberPlan, symbols: Units, words: Units, larger: [Unit], phrases: TimePhrases
    ) {
        self.locale = locale
        self.number = number
        self.symbols = symbols
        self.words = words
        self.larger = larger
        self.phrases = phrases
    }

    /// `2 h 5 min` and `2 hours, 5 minutes`, in ASCII.
    public static let english = TimeWords(
        locale: "", number: .plain(decimals: 0),
        symbols: Units(["d", "h", "min", "s"].map { Unit(count(" \($0)")) }, separator: " "),
        words: Units(
            ["day", "hour", "minute", "second"].map { Unit(count(" \($0)s", one: " \($0)")) }, separator: ", "),
        larger: ["week", "month", "year"].map { Unit(count(" \($0)s", one: " \($0)")) }, phrases: .english)

    private static func count(_ other: String, one: String? = nil) -> NumberPlan {
        func affixes(_ suffix: String) -> SignedAffixes {
            let affixes = Affixes(prefix: [], suffix: Array(suffix.utf8))
            return SignedAffixes(positive: affixes, negative: affixes)
        }
        var plan = NumberPlan.plain(decimals: 0)
        plan.plural = PluralAffixes(
            rule: PluralRule(language: "en"), other: affixes(other), one.map { [.one: affixes($0)] } ?? [:])
        return plan
    }

    public static func == (left: TimeWords, right: TimeWords) -> Bool { left.locale == right.locale }

    public func hash(into hasher: inout Hasher) { hasher.combine(locale) }
}

/// A language's phrases for a task and for a coming event.
package struct TimePhrases: Sendable {
    /// The text around the remaining time.
    let left: Affixes
    /// The text around the time until an event.
    let until: Affixes
    let dueNow: String
    let paused: String
    let stalled: String
    let done: String
    let fired: String
    let notScheduled: String
    let totalUnknown: String
    /// Shown instead of an unknown share.
    let working: String
    /// The separator between two phrases.
    let comma: String

    /// - Parameters:
    ///   - left: With `{0}` for the time.
    ///   - until: With `{0}` for the time; nil as `left`.
    package init(
        left: String, until: String? = nil, dueNow: String, paused: String, stalled: String, done: String,
        fired: String,
        notScheduled: String, totalUnknown: String, working: String, comma: String
    ) {
        self.left = Affixes(around: left)
        self.until = Affixes(around: until ?? left)
        self.dueNow = dueNow
        self.paused = paused
        self.stalled = stalled
        self.done = done
        self.fired = fired
        self.notScheduled = notScheduled
        self.totalUnknown = totalUnknown
        self.working = working
        self.comma = comma
    }

    package static let english = TimePhrases(
        left: "{0} left", until: "in {0}", dueNow: "due now", paused: "paused", stalled: "stalled", done: "done",
        fired: "fired", notScheduled: "not scheduled", totalUnknown: "total unknown", working: "Working…", comma: ", ")
}

extension Affixes {
    /// Creates affixes from the text around `{0}`; a pattern without it is the prefix.
    package init(around pattern: some StringProtocol) {
        let bytes = Array(pattern.utf8)
        let place = Array("{0}".utf8)
        let start = bytes.indices.first { bytes.dropFirst($0).starts(with: place) } ?? bytes.count
        self.init(prefix: Array(bytes.prefix(start)), suffix: Array(bytes.dropFirst(start + place.count)))
    }

    /// Returns a text with these around it.
    func text(around inner: String) -> String {
        String(decoding: prefix, as: UTF8.self) + inner + String(decoding: suffix, as: UTF8.self)
    }
}
