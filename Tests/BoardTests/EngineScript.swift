// A board driven by hand: commands and time are given, events are collected.

import Base
import Board
import Labels
import TestSupport
import Tween

/// An engine with a hand on its clock; seconds count from zero.
struct EngineScript {
    /// The work of a firing that tells one notification: a step, an action and two events.
    private static let firing = 24

    var engine: Engine
    private(set) var events: [BoardEvent] = []
    private(set) var time = 0.0

    /// - Parameter firings: How many firings that tell one notification an advance has room for.
    init(firings: Int = 1_000, waiting: Int = 64, schedulesPerSweep: Int = 500, delayedActions: Int = 100_000) {
        var configuration = Engine.Configuration(planner: NoFormats())
        configuration.maximumWorkPerAdvance = firings * Self.firing
        configuration.maximumSchedulesPerSweep = schedulesPerSweep
        configuration.maximumDelayedActions = delayedActions
        engine = Engine(configuration: configuration)
    }

    var now: Instant { Instant(nanoseconds: 0).advanced(bySeconds: time) }

    mutating func wait(until seconds: Double) {
        time = seconds
        while !engine.advance(to: now) {}
        events += engine.drainEvents()
    }

    /// Sets the wall clock, forward or back.
    mutating func set(clockBy seconds: Double) {
        time += seconds
        engine.shiftTimeline(byNanoseconds: Int64(seconds * 1e9), at: now)
        events += engine.drainEvents()
    }

    /// Takes what concerns all schedules to its end.
    mutating func sweep() {
        while engine.isSweeping { engine.continueSweep() }
        events += engine.drainEvents()
    }

    @discardableResult
    mutating func apply(_ command: Command, expecting revision: UInt64? = nil) throws -> Acceptance {
        defer { events += engine.drainEvents() }
        return try engine.apply(command, at: now, expecting: revision.map { .revision($0) })
    }

    @discardableResult
    mutating func update(_ id: String, _ change: (inout TrackUpdate) -> Void) throws -> Acceptance {
        var update = TrackUpdate()
        change(&update)
        return try apply(.update(ResourceName(.ticker, id), update))
    }

    func reading(_ id: String, _ kind: ResourceKind = .ticker) -> Reading? {
        engine.track(ResourceName(kind, id))?.reading(at: now)
    }

    func text(_ id: String, _ kind: ResourceKind = .ticker) -> String? {
        reading(id, kind).map { String(decoding: $0.text, as: UTF8.self) }
    }

    /// The events as short words: `complete t#1 finished`.
    var log: [String] { events.map(Self.word) }

    private static func word(_ event: BoardEvent) -> String {
        switch event {
        case .complete(let name, let ending, _): "complete \(name.id)#\(ending.animation) \(ending.reason)"
        case .milestone(let name, _, let value): "milestone \(name.id) \(value)"
        case .paused(let name): "paused \(name?.id ?? "all")"
        case .resumed(let name): "resumed \(name?.id ?? "all")"
        case .removed(let name, let reason): "removed \(name.id) \(reason)"
        case .scheduled(let name, _): "scheduled \(name.id)"
        case .fired(let name, _, let count): "fired \(name.id) \(count)"
        case .skipped(let name, _, let next): "skipped \(name.id)\(next == nil ? "" : ", goes on")"
        case .notification(let name, _, _): "notification \(name)"
        case .webhook(let url, _, _): "webhook \(url)"
        case .failed(let name, _): "failed \(name.id)"
        }
    }
}

func ticker(_ id: String) -> ResourceName { ResourceName(.ticker, id) }
func schedule(_ id: String) -> ResourceName { ResourceName(.schedule, id) }

/// A schedule that notifies.
func notifying(_ name: String, _ change: (inout ScheduleDefinition) -> Void) -> ScheduleDefinition {
    let actions = ActionList(actions: [.notify(name: name, data: nil)], source: [])
    var definition = ScheduleDefinition(actions: actions, source: [])
    change(&definition)
    return definition
}

extension Action {
    static func update(_ name: ResourceName, _ update: TrackUpdate) -> Action { .command(.update(name, update)) }
}

/// Whole numbers in these tests are exact decimals.
extension ExactDecimal: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self.init(value)
    }
}
