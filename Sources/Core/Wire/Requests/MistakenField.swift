// Fields that updates are often sent with by mistake, and what to send instead.

import Base
import Board

enum MistakenField {
    private static let targets: Set = ["to", "current", "value", "number", "target"]
    private static let wholes: Set = ["max", "total"]
    private static let shares: Set = ["percent", "percentage", "fraction"]
    private static let texts: Set = ["text", "title"]
    private static let additions: Set = ["add", "amount", "delta", "increment"]
    private static let orders: Set = ["order", "seq", "version"]
    /// The fields that only updates have.
    private static let motions = targets.union([
        "by", "max", "min", "decay", "from", "start", "sequence", "then", "else",
    ])

    /// Returns the end of an error about an unknown field, such as `; did you mean current?`; nil for other names.
    static func hint(for name: String, of kind: ResourceKind, _ role: UpdateDecoder.Role) -> String? {
        if texts.contains(name) { return NearestName.question("label") }
        if additions.contains(name) { return NearestName.question("by") }
        if orders.contains(name) { return NearestName.question("sequence") }
        if kind == .progress, wholes.contains(name) { return NearestName.question("maximum") }
        if role == .definition, motions.contains(name) { return "; `PUT` moves nothing; send it with `POST`" }
        if kind == .ticker, name == "maximum" || shares.contains(name) { return "; only a progress has one" }
        if targets.contains(name) { return NearestName.question(target(of: kind)) }
        guard shares.contains(name) else { return nil }
        return NearestName.question(target(of: kind)) + " The percentage is its share of `maximum`"
    }

    /// The field that says where a track goes.
    static func target(of kind: ResourceKind) -> String { kind == .progress ? "current" : "to" }
}
