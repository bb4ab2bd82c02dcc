// What reading a whole store comes to: how much there is, and what a start could not read of it.

package import Storage

/// Which records of a store can be read.
package struct StoreFindings: Hashable, Sendable {
    /// A record that can't be read, and why.
    package struct Unreadable: Hashable, Sendable {
        package var name: RecordName
        package var reason: String
    }

    /// Records that there are, whether they can be read or not.
    package var records = 0
    package var unreadable: [Unreadable] = []
    /// Records of kinds that this program doesn't know, in words.
    package var unknown: [String] = []
    /// Portions of named events that there are, and those that can't be read, in words.
    package var portions = 0
    package var unreadablePortions: [String] = []

    package init() {}

    /// Whether a start reads all of it.
    package var isWhole: Bool { unreadable.isEmpty && unknown.isEmpty && unreadablePortions.isEmpty }

    /// How many can't be read, and each of them with the reason on a line of its own.
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

    /// A text that comes of damaged bytes, without what a terminal would obey.
    private static func plain(_ text: String) -> String {
        text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
