// `to` as a list of keyframes: values with their offsets and easings.

import Board
import Labels
import Tween

enum KeyframeDecoder {
    /// Decodes keyframes: numbers, or objects of a number with an offset and an easing. Missing offsets are evenly spaced
    /// between their neighbours; they start after 0 and end at 1.
    static func waypoints(_ name: String, _ fields: inout FieldReader) throws(Problem) -> [TrackUpdate.Waypoint] {
        let pointer = fields.pointer(to: name)
        guard let node = fields.read(name), case .array(let elements) = node.content, !elements.isEmpty,
            elements.count <= TrackUpdate.maximumKeyframes || fields.isStored
        else {
            throw .field(pointer, "must be a number, or a list of 1 to \(TrackUpdate.maximumKeyframes) keyframes")
        }
        var waypoints: [TrackUpdate.Waypoint] = []
        var offsets: [Double?] = []
        for (index, element) in elements.enumerated() {
            let place = "\(pointer)/\(index)"
            guard case .object = element.content else {
                let target = try fields.decimal(element, pointer: place)
                waypoints.append(TrackUpdate.Waypoint(target: target, offset: 0, easing: nil))
                offsets.append(nil)
                continue
            }
            var members = try FieldReader(fields.document, element, pointer: place)
            let target = try members.required(try members.decimal("to"), "to")
            offsets.append(try members.number("offset", in: 0...1))
            let easing = try CurveDecoder.easing(&members)
            try members.finish()
            waypoints.append(TrackUpdate.Waypoint(target: target, offset: 0, easing: easing))
        }
        if !fields.isStored { try LineRoom.check(waypoints, at: pointer) }
        for (index, offset) in try placed(offsets, pointer).enumerated() { waypoints[index].offset = offset }
        return waypoints
    }

    /// Rejects a spring together with keyframes.
    static func check(
        _ goal: TrackUpdate.Goal?, _ curve: TrackUpdate.Curve?, _ fields: FieldReader
    ) throws(Problem) {
        guard case .along = goal, case .spring = curve else { return }
        throw .field(fields.pointer(to: "spring"), "goes to one target; give keyframes an `easing`, or post one target")
    }

    /// Fills in missing offsets.
    private static func placed(_ given: [Double?], _ pointer: String) throws(Problem) -> [Double] {
        var offsets = given
        let last = offsets.count - 1
        if offsets[last] == nil { offsets[last] = 1 }
        guard offsets[last] == 1 else {
            throw .field("\(pointer)/\(last)/offset", "the last keyframe is at 1; leave its offset out")
        }
        var placed: [Double] = []
        while placed.count < offsets.count {
            // Find the next keyframe with an offset, and space those before it evenly.
            let start = placed.last ?? 0
            let next = offsets.indices.first { $0 >= placed.count && offsets[$0] != nil } ?? last
            let end = offsets[next] ?? 1
            guard end >= start else {
                throw .field("\(pointer)/\(next)/offset", "must not be less than the offset before it")
            }
            let count = next - placed.count + 1
            for step in 1..<max(count, 1) { placed.append(start + (end - start) * Double(step) / Double(count)) }
            placed.append(end)
        }
        return placed
    }
}
