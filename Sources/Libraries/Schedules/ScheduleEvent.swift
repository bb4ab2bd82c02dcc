// Events of schedules, for observers.

public import Tween

/// An event in a book of schedules.
public enum ScheduleEvent<Action: Sendable>: Sendable {
    /// A schedule was added, replacing one with the same ID if there was one. `due` is nil while an interval is paused.
    case scheduled(String, due: Instant?)
    /// A schedule fired.
    case fired(ScheduleFiring<Action>)
    /// Missed firings were skipped; `next` is nil if none is left.
    case skipped(String, due: Instant, next: Instant?)
    /// A schedule was paused; all of them if there is no ID.
    case paused(String?)
    /// A schedule was resumed; all of them if there is no ID.
    case resumed(String?)
    /// A schedule was removed.
    case removed(String, ScheduleRemoval)
}

/// Why a schedule was removed.
public enum ScheduleRemoval: Hashable, Sendable {
    /// It has fired for the last time.
    case completed
    /// It was cancelled.
    case cancelled
    /// Nothing was left after skipping missed firings.
    case skipped
}

/// One firing of a schedule.
public struct ScheduleFiring<Action: Sendable>: Sendable, Identifiable {
    /// The schedule's ID.
    public let id: String
    /// The action to perform.
    public let action: Action
    /// When it was due: earlier than now after a pause, or if nothing ran at that time.
    public let due: Instant
    /// How often it has fired, including this time.
    public let count: Int
}

extension ScheduleEvent: Equatable where Action: Equatable {}
extension ScheduleEvent: Hashable where Action: Hashable {}
extension ScheduleFiring: Equatable where Action: Equatable {}
extension ScheduleFiring: Hashable where Action: Hashable {}
