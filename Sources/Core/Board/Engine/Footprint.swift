// Estimates of the memory of resources, the unit of the board's byte budget. They cover everything whose length a client
// decides; a test compares them with the allocator.

import Labels
import Tween

/// Estimates of memory.
enum Footprint {
    /// An array or a long string of this many bytes, with its header and the allocator's rounding.
    static func block(_ bytes: Int) -> Int { bytes == 0 ? 0 : bytes + 48 }

    /// A value behind a reference.
    static func box<T>(_ type: T.Type) -> Int { MemoryLayout<T>.stride + 32 }

    /// A string. Up to 15 bytes are stored inline.
    static func text(_ text: String?) -> Int {
        guard let count = text?.utf8.count, count > 15 else { return 0 }
        return block(count)
    }

    /// An element of a growing array, halfway through its growth.
    static func element<T>(_ type: T.Type) -> Int { MemoryLayout<T>.stride * 5 / 4 }

    /// A resource's entries in indexes and timetables.
    static let place = 200
}

extension ActionList {
    /// Bytes of the actions without their JSON source.
    static func footprint(of actions: [Action]) -> Int {
        actions.reduce(Footprint.block(actions.count * MemoryLayout<Action>.stride)) { sum, action in
            switch action {
            case .command(let command): sum + command.footprint
            case .later(let definition):
                sum + Footprint.block(MemoryLayout<ScheduleDefinition>.stride) + definition.footprint
            case .notify(_, let data): sum + Footprint.block(data?.count ?? 0)
            case .webhook(let url, let data): sum + Footprint.text(url) + Footprint.block(data?.count ?? 0)
            }
        }
    }
}

extension Command {
    /// Bytes referenced, including boxed values.
    fileprivate var footprint: Int {
        switch self {
        case .update(let name, let update), .define(let name, let update):
            Footprint.block(MemoryLayout<(ResourceName, TrackUpdate)>.stride) + Footprint.text(name.id)
                + update.footprint
        case .schedule(let name, let definition):
            Footprint.block(MemoryLayout<(ResourceName, ScheduleDefinition)>.stride) + Footprint.text(name.id)
                + definition.footprint
        case .remove(let name), .play(let name, _), .pauseSchedule(let name), .resumeSchedule(let name):
            Footprint.text(name.id)
        case .notify(let name, let data): Footprint.text(name) + Footprint.block(data?.count ?? 0)
        case .pauseAllSchedules, .resumeAllSchedules, .removeAllSchedules: 0
        }
    }
}

extension TrackUpdate {
    /// Bytes referenced.
    var footprint: Int {
        var bytes = Footprint.block(source.count) + Footprint.block(appearance?.count ?? 0)
        bytes += Footprint.text(label) + Footprint.text(prefix) + Footprint.text(suffix)
        bytes += Footprint.block((milestones?.count ?? 0) * MemoryLayout<ExactDecimal>.stride)
        if $format { bytes += Footprint.box(NumberFormat.self) }
        if let start { bytes += Footprint.box(MotionAnchor.self) + Footprint.text(start.name.id) }
        if let curve { bytes += curve.footprint }
        if case .along(let waypoints) = goal { bytes += waypoints.footprint }
        if let then { bytes += then.footprint }
        if let otherwise { bytes += otherwise.footprint }
        if let milestoneActions { bytes += Footprint.box(MilestoneActions.self) + milestoneActions.footprint }
        return bytes
    }
}

extension [TrackUpdate.Waypoint] {
    /// Bytes of the keyframes.
    fileprivate var footprint: Int {
        reduce(Footprint.block(count * MemoryLayout<TrackUpdate.Waypoint>.stride)) { bytes, waypoint in
            bytes + (waypoint.easing.map { TrackUpdate.Curve.easing($0).footprint } ?? 0)
        }
    }
}

extension TrackUpdate.Curve {
    /// Bytes referenced: only lists of stops take many.
    var footprint: Int {
        guard case .easing(.linearStops(let stops)) = self else { return 0 }
        return Footprint.block(stops.points.count * MemoryLayout<LinearStops.Point>.stride)
    }
}

extension TickerRendering.Text {
    var footprint: Int {
        switch self {
        case .label(let label, _), .words(let label): Footprint.text(label)
        case .parts(let prefix, let suffix): Footprint.text(prefix) + Footprint.text(suffix)
        }
    }
}

extension Track {
    /// Estimated bytes on a board.
    package var footprint: Int {
        var bytes = Footprint.place + Footprint.element(Track?.self) + Footprint.text(name.id)
        switch rendering {
        case .ticker(let rendering): bytes += rendering.footprint
        case .progress(let rendering): bytes += rendering.footprint
        }
        bytes += Footprint.block(history.past.count * MemoryLayout<TargetHistory.Point>.stride * 5 / 4)
        if let definition { bytes += Footprint.box(TrackUpdate.self) + definition.footprint }
        bytes += run?.footprint ?? 0
        guard !waiting.isEmpty else { return bytes }
        return waiting.reduce(bytes) { $0 + Footprint.element(WaitingUpdate.self) + $1.update.footprint }
    }
}

extension Run {
    /// The object itself.
    private static let size =
        MemoryLayout<Motion>.stride + MemoryLayout<MotionRequest>.stride + MemoryLayout<Position>.stride + 104

    /// Bytes of the object and of all it references.
    fileprivate var footprint: Int {
        var bytes = Self.size + request.curve.footprint + (then?.footprint ?? 0) + (otherwise?.footprint ?? 0)
        bytes += Footprint.block((milestones.count + crossed.count) * MemoryLayout<ExactDecimal>.stride)
        bytes += milestoneActions?.footprint ?? 0
        bytes += request.waypoints.footprint * 2
        if maximum != nil { bytes += Footprint.block(MemoryLayout<Motion>.stride) }
        return bytes
    }
}

extension Schedule {
    /// Estimated bytes on a board.
    package var footprint: Int {
        Footprint.place + Footprint.element(Schedule?.self) + 3 * Footprint.text(name.id)
            + Footprint.text(origin?.id) + definition.footprint
    }
}

extension ScheduleDefinition {
    /// Bytes referenced.
    var footprint: Int {
        Footprint.block(source.count) + actions.footprint + label.byteCount + Footprint.text(ended)
    }
}
