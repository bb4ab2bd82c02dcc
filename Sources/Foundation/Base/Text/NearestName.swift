// The name that somebody may have meant who wrote another one.

/// Looks for names that are nearly what was written.
package enum NearestName {
    /// The most letters that may be wrong. Names that differ by more in length are not compared, so that it costs little whatever
    /// is written.
    private static let mostWrong = 2
    /// The longest name that has to begin as what was written does: of so few letters others are soon near.
    private static let shortName = 3

    /// `; did you mean duration?`, for the end of a refusal.
    /// - Parameter names: In ASCII.
    /// - Returns: An empty text where no name is near: one letter in three may be wrong, two in all. Two that changed places are
    ///   one, and capitals count as small.
    package static func hint(for text: String, among names: some Sequence<String>) -> String {
        let length = text.utf8.count
        let candidates = names.filter { abs($0.utf8.count - length) <= mostWrong }
        guard !candidates.isEmpty else { return "" }
        let written = lowercased(text)
        let near = candidates.map { (name: $0, distance: distance(from: written, toName: $0)) }
            .filter { $0.distance <= min(mostWrong, max(1, $0.name.utf8.count / 3)) }
        guard let nearest = near.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return "" }
        return "; did you mean \(nearest.name)?"
    }

    private static func distance(from written: [UInt8], toName name: String) -> Int {
        let name = lowercased(name)
        guard name.count > shortName || name.first == written.first else { return .max }
        return distance(from: written, to: name)
    }

    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// How many bytes have to be put in, taken out, replaced or changed with their neighbour, none of them twice (Damerau, 1964).
    private static func distance(from left: [UInt8], to right: [UInt8]) -> Int {
        var before: [Int] = []
        var above: [Int] = []
        var row = Array(0...right.count)
        for (line, byte) in left.enumerated() {
            (before, above) = (above, row)
            row[0] = line + 1
            for (place, other) in right.enumerated() {
                row[place + 1] = min(above[place] + (byte == other ? 0 : 1), above[place + 1] + 1, row[place] + 1)
                if line > 0, place > 0, byte == right[place - 1], left[line - 1] == other {
                    row[place + 1] = min(row[place + 1], before[place - 1] + 1)
                }
            }
        }
        return row[right.count]
    }
}
