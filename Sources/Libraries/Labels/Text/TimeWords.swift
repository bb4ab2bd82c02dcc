// How a language speaks of time: units beside their counts, what stands between two of them, and what becomes of a task.

/// Words for spans of time and for where something stands: `2 hours, 5 minutes`, `paused`.
///
/// English without a locale; those of a locale are made by the Locales library. A class, since all labels of a locale share
/// it.
public final class TimeWords: Hashable, Sendable {
    /// A unit of time in a language.
    package struct Unit: Sendable {
        /// Writes the count and the unit.
        let plan: NumberPlan

        /// - Parameter plan: Of whole numbers, the unit in its affixes.
        package init(_ plan: NumberPlan) {
            self.plan = plan
        }

        func append(_ count: Int, to bytes: inout [UInt8]) { plan.append(Double(count), to: &bytes) }
    }

    /// Days, hours, minutes and seconds, and what stands between two of them.
    package struct Units: Sendable {
        let all: [Unit]
        let separator: [UInt8]

        /// - Parameters:
        ///   - all: Of days, hours, minutes and seconds, in this order.
        ///   - separator: Stands between two.
        package init(_ all: [Unit], separator: String) {
            precondition(all.count == 4)
            self.all = all
            self.separator = Array(separator.utf8)
        }
    }

    /// What tells words apart: the tag they were made for; empty for English without a locale.
    public let locale: String
    /// How a whole number is written, without groups.
    let number: NumberPlan
    let symbols: Units
    let words: Units
    /// Weeks, months and years, in which nothing is counted here.
    let larger: [Unit]
    /// What is said of a task.
    let phrases: TimePhrases

    /// - Parameters:
    ///   - locale: A BCP 47 tag.
    ///   - number: Of whole numbers.
    ///   - symbols: The short forms.
    ///   - words: The long ones.
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

/// What a language says of a task and of an event to come.
package struct TimePhrases: Sendable {
    /// What is left of the time, around it.
    let left: Affixes
    /// When something will happen, around the time until then.
    let until: Affixes
    let dueNow: String
    let paused: String
    let stalled: String
    let done: String
    let fired: String
    let notScheduled: String
    let totalUnknown: String
    /// Shown in place of a share that nobody knows.
    let working: String
    /// Stands between two of these.
    let comma: String

    /// - Parameters:
    ///   - left: With `{0}` for the time.
    ///   - until: With `{0}` for the time; nil: as `left`.
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
    /// What stands around `{0}`; all of a pattern without it stands before the number.
    package init(around pattern: some StringProtocol) {
        let bytes = Array(pattern.utf8)
        let place = Array("{0}".utf8)
        let start = bytes.indices.first { bytes.dropFirst($0).starts(with: place) } ?? bytes.count
        self.init(prefix: Array(bytes.prefix(start)), suffix: Array(bytes.dropFirst(start + place.count)))
    }

    /// A text with these around it.
    func text(around inner: String) -> String {
        String(decoding: prefix, as: UTF8.self) + inner + String(decoding: suffix, as: UTF8.self)
    }
}
