// `start` of an update: its start relative to another motion.

import Base
import Board

enum AnchorDecoder {
    static func anchor(_ fields: inout FieldReader) throws(Problem) -> MotionAnchor? {
        guard let node = fields.read("start") else { return nil }
        var start = try FieldReader(fields.document, node, pointer: fields.pointer(to: "start"))
        let seconds = TrackUpdate.maximumSeconds
        let offset = try start.number("offset", in: -seconds...seconds) ?? 0
        var anchor: MotionAnchor?
        for edge in MotionAnchor.Edge.allCases {
            guard let text = try start.string(edge.rawValue) else { continue }
            guard anchor == nil else {
                throw .field(start.pointer(to: edge.rawValue), "give either `with` or `after`, not both")
            }
            guard let name = name(text, isStored: start.isStored) else {
                throw .field(start.pointer(to: edge.rawValue), "must be ticker:ID or progress:ID")
            }
            anchor = MotionAnchor(edge, name, offset: offset)
        }
        try start.finish()
        guard let anchor else { throw .field(start.pointer, "needs one of `with` or `after`") }
        return anchor
    }

    /// Parses `kind:id`; the id may contain colons. A stored id is taken as it is: old stores have `.` and `..`.
    private static func name(_ text: String, isStored: Bool) -> ResourceName? {
        for kind in [ResourceKind.ticker, .progress] where text.hasPrefix("\(kind):") {
            let id = String(text.dropFirst("\(kind):".count))
            return ResourceName.isValid(id: id) || isStored ? ResourceName(kind, id) : nil
        }
        return nil
    }
}
