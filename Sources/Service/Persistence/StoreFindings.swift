// The result of reading a whole store: how many records there are, and which can't be read.

package import Storage

/// Which records of a store can't be read.
package struct StoreFindings: Hashable, Sendable {
    /// An unreadable record and the reason.
    package struct Unreadable: Hashable, Sendable {
        package var name: RecordName
        package var reason: String
    }

    /// The number of records, readable or not.
    package var records = 0
    package var unreadable: [Unreadable] = []
    /// Records of unknown kinds, as descriptions.
    package var unknown: [String] = []
    /// The number of portions of named events; below, descriptions of the unreadable ones.
    package var portions = 0
    package var unreadablePortions: [String] = []
    /// The number of the newest named event.
    package var lastEvent: Int64 = 0

    package init() {}

    /// Whether a start can read everything.
    package var isWhole: Bool { unreadable.isEmpty && unknown.isEmpty && unreadablePortions.isEmpty }

    /// How many records can't be read, followed by one line for each with its reason.
    package var text: String {
        let lost =
            unreadable.map { "\($0.name.kind) \($0.name.id): \($0.reason)" } + unknown.map { "\($0): unknown kind" }
        let counts = [
            (lost.count, records, "records"), (unreadablePortions.count, portions, "portions of named events"),
        ]
        let sums = counts.filter { $0.0 > 0 }.map { "\($0.0) of \($0.1) \($0.2)" }
        let lines = (lost + unreadablePortions).map { "\n  " + Self.plain($0) }
        return sums.joined(separator: " and ") + " can't be read:" + lines.joined()
    }

    /// Escapes control characters in text from damaged bytes, as a terminal would obey them.
    private static func plain(_ text: String) -> String {
        text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
