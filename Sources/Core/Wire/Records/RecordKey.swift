// The names of members of records as one byte each.

/// The table of names. It is part of the format of records: new names are appended, and none is ever moved or removed.
enum RecordKey {
    /// Ends the members of an object.
    static let end: UInt8 = 0
    /// Precedes a name that is not in the table and is written in full.
    static let spelled: UInt8 = 255
    /// The maximum number of names, so that a set of them fits in 128 bits; bit 0 is unused.
    static let mostNames = 127

    /// The first name has key 1.
    static let names: [String] = [
        "revision", "target", "rest", "touched", "sequence", "defaults", "label", "prefix", "suffix", "index",
        "maximum", "indeterminate", "appearance", "decimals", "format", "ttl", "shownDecimals", "lastUpdate",
        "cadence", "pace", "run", "waiting", "animation", "origin", "then", "else", "lastValue", "request", "motion",
        "to", "keyframes", "duration", "delay", "endDelay", "curve", "settling", "initialVelocity",
        "angularFrequency", "dampingRatio", "repeat", "repeatDelay", "autoreverse", "direction", "rate", "clamp",
        "animated", "milestones", "offset", "easing", "from", "along", "velocity", "start", "hold", "iterations",
        "threshold", "update", "definition", "due", "anchor", "dated", "remaining", "paused", "fired", "by", "ticker",
        "progress", "schedule", "url", "body", "kind", "created", "attempts", "failure", "dead", "locale", "style",
        "currency", "unit", "grouping", "sign", "currencyDisplay", "currencySign", "unitDisplay", "notation",
        "compactDisplay", "minimumIntegerDigits", "minimumDecimals", "maximumDecimals", "minimumSignificantDigits",
        "maximumSignificantDigits", "trailingZeros", "rounding", "history", "pausedSince", "initial", "ended",
        "milestoneActions", "crossed", "declines", "owner",
    ]

    /// Returns the key of a name; nil if it is not in the table.
    static func key(of name: String) -> UInt8? {
        let places = places
        var place = hash(name)
        while places[place].key > 0 {
            if places[place].name == name { return places[place].key }
            place = (place &+ 1) & placeMask
        }
        return nil
    }

    /// Returns the name of a key; nil for one of a later program.
    static func name(of key: UInt8) -> String? {
        let index = Int(key) &- 1
        return names.indices.contains(index) ? names[index] : nil
    }

    // MARK: - Lookup

    private struct Place {
        var name = ""
        /// 0 means empty.
        var key: UInt8 = 0
    }

    /// Several places for each name, so that there are few collisions.
    private static let placeMask = 511

    /// A hash table of the names; a name whose place is taken is in the next free one.
    private static let places: [Place] = {
        var places = [Place](repeating: Place(), count: placeMask + 1)
        for (index, name) in names.enumerated() {
            var place = hash(name)
            while places[place].key > 0 { place = (place + 1) & placeMask }
            places[place] = Place(name: name, key: UInt8(index + 1))
        }
        return places
    }()

    @inline(__always)
    private static func hash(_ name: String) -> Int {
        let bytes = name.utf8.span
        let count = bytes.count
        guard count > 0 else { return 0 }
        let last = count &- 1
        let sum = Int(bytes[0]) &* 3 &+ Int(bytes[last]) &* 5 &+ Int(bytes[last / 2]) &* 53
        return (sum &+ count &* 3) & placeMask
    }
}

/// A set of keys.
struct RecordKeySet {
    private var bits: UInt128 = 0

    func contains(_ key: UInt8) -> Bool { bits & Self.bit(key) != 0 }

    /// - Parameter key: A key of the table, or one of a later program.
    mutating func insert(_ key: UInt8) { bits |= Self.bit(key) }

    private static func bit(_ key: UInt8) -> UInt128 { 1 &<< UInt128(truncatingIfNeeded: key) }
}
