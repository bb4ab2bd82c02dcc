// `appearance` of a progress. The viewer's keys are checked, a client's own are not. All are passed on as written.

import Board

enum AppearanceDecoder {
    /// The maximum size of an appearance in bytes of JSON.
    static let maximumBytes = 2_048

    /// Takes the member `appearance` as it was written.
    static func appearance(_ fields: inout FieldReader) throws(Problem) -> [UInt8]? {
        guard let node = fields.read("appearance") else { return nil }
        if !fields.isStored { try check(fields.document, node, pointer: fields.pointer(to: "appearance")) }
        return try fields.source(of: node, "appearance")
    }

    private static func check(_ document: JSONDocument, _ node: JSONNode, pointer: String) throws(Problem) {
        guard node.range.count <= maximumBytes else {
            throw .field(pointer, "must be at most \(maximumBytes) bytes long")
        }
        if case .object(let members) = node.content, members.count > FieldReader.mostMembers {
            throw .field(pointer, "must have at most \(FieldReader.mostMembers) members")
        }
        var fields = try FieldReader(document, node, pointer: pointer)
        _ = try fields.choice("shape", Shape.self)
        _ = try fields.choice("titleDirection", Side.self)
        _ = try fields.choice("ends", Ends.self)
        _ = try fields.number("height", in: 1...1_000)
        _ = try fields.number("strokeWidth", in: 0...1_000)
        _ = try fields.bool("legend")
        _ = try fields.number("startAngle", in: -360...360)
        _ = try fields.bool("clockwise")
        _ = try fields.number("margin", in: 0...1_000)
        _ = try fields.number("padding", in: 0...1_000)
        _ = try fields.string("color", longest: 64)
        _ = try fields.string("trackColor", longest: 64)
    }

    private enum Shape: String, CaseIterable { case bar, pie, ring }
    private enum Side: String, CaseIterable { case top, bottom, left, right }
    private enum Ends: String, CaseIterable { case round, flat }
}
