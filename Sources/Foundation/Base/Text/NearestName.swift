// Suggests a known name for a misspelled one.

/// Finds names similar to a given text.
package enum NearestName {
    /// The most wrong letters. Names that differ more in length aren't compared, so any input is cheap.
    private static let mostWrong = 2
    /// Names of up to this length must begin like the text: short names resemble too many texts.
    private static let shortName = 3

    /// Returns a hint such as `; did you mean duration?` for the end of an error.
    /// - Parameter names: In ASCII.
    /// - Returns: An empty text if no name is similar. One letter in three may be wrong, at least one and at most two. Two swapped
    ///   letters count as one, and case is ignored.
    package static func hint(for text: String, among names: some Sequence<String>) -> String {
        let length = text.utf8.count
        let candidates = names.filter { abs($0.utf8.count - length) <= mostWrong }
        guard !candidates.isEmpty else { return "" }
        let written = lowercased(text)
        let near = candidates.map { (name: $0, distance: distance(from: written, toName: $0)) }
            .filter { $0.distance <= min(mostWrong, max(1, $0.name.utf8.count / 3)) }
        guard let nearest = near.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return "" }
        return question(nearest.name)
    }

    /// Returns the hint with a name.
    package static func question(_ name: String) -> String { "; did you mean \(name)?" }

    private static func distance(from written: [UInt8], toName name: String) -> Int {
        let name = lowercased(name)
        guard name.count > shortName || name.first == written.first else { return .max }
        return distance(from: written, to: name)
    }

    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Returns the number of bytes to insert, delete, replace or swap with a neighbour, none of them twice (Damerau, 1964).
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
