// Aligns the columns of two texts: which stay, enter and leave. For labels whose digits don't align at the point, such as
// codes and times.

/// What happens to one column of a label.
public enum ColumnChange: Int, Hashable, Sendable {
    /// The column stays, with the same character or another.
    case keep = 0
    /// A new column enters.
    case insert = 1
    /// The column leaves.
    case delete = 2

    /// Returns the fewest changes that make `old` into `new`. Runs of digits only change columns among themselves; other
    /// characters are matched in order.
    public static func changes(from old: String, to new: String) -> [ColumnChange] {
        let (old, new) = (Segment.split(old), Segment.split(new))
        return (0..<max(old.count, new.count)).flatMap { index in
            align(index < old.count ? old[index].scalars : [], index < new.count ? new[index].scalars : [])
        }
    }

    /// Longer texts keep columns from the left, since the table of distances grows with the product of lengths.
    private static let maximumLength = 256

    private static func align(_ old: [Unicode.Scalar], _ new: [Unicode.Scalar]) -> [ColumnChange] {
        let common = min(old.count, new.count)
        guard old.count != new.count, common > 0, max(old.count, new.count) <= maximumLength else {
            let rest = ColumnChange.insert
            return Array(repeating: .keep, count: common)
                + Array(repeating: new.count > common ? rest : .delete, count: max(old.count, new.count) - common)
        }
        let distances = distances(old, new)
        var changes: [ColumnChange] = []
        var (row, column) = (old.count, new.count)
        while row > 0 || column > 0 {
            let change = step(distances, row, column)
            changes.append(change)
            if change != .insert { row -= 1 }
            if change != .delete { column -= 1 }
        }
        return changes.reversed()
    }

    /// Returns the last step of a shortest path to a cell. Ties keep the column, which moves least.
    private static func step(_ distances: [[Int]], _ row: Int, _ column: Int) -> ColumnChange {
        guard row > 0 else { return .insert }
        guard column > 0 else { return .delete }
        let (insert, delete) = (distances[row][column - 1], distances[row - 1][column])
        let keep = distances[row - 1][column - 1]
        if insert < delete, insert < keep { return .insert }
        return delete < keep ? .delete : .keep
    }

    /// Returns the edit distances (Wagner and Fischer) of all prefixes of both texts.
    private static func distances(_ old: [Unicode.Scalar], _ new: [Unicode.Scalar]) -> [[Int]] {
        var rows = [Array(0...new.count)]
        for (index, scalar) in old.enumerated() {
            var row = [index + 1]
            for (column, other) in new.enumerated() {
                row.append(
                    min(rows[index][column] + (scalar == other ? 0 : 1), rows[index][column + 1] + 1, row[column] + 1))
            }
            rows.append(row)
        }
        return rows
    }

    /// A run of digits, or one other character.
    private struct Segment {
        var scalars: [Unicode.Scalar]
        let isDigits: Bool

        static func split(_ text: String) -> [Segment] {
            var segments: [Segment] = []
            for scalar in text.unicodeScalars {
                let isDigit = scalar.properties.numericType == .decimal
                if isDigit, segments.last?.isDigits == true {
                    segments[segments.count - 1].scalars.append(scalar)
                } else {
                    // Between two other characters there is always a segment of digits, if only an empty one.
                    if !isDigit, segments.last?.isDigits != true {
                        segments.append(Segment(scalars: [], isDigits: true))
                    }
                    segments.append(Segment(scalars: [scalar], isDigits: isDigit))
                }
            }
            if segments.last?.isDigits != true { segments.append(Segment(scalars: [], isDigits: true)) }
            return segments
        }
    }
}
