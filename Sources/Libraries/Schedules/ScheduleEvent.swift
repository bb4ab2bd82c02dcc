// What happens to schedules, in words for observers.

public import Tween

/// What has happened in a book of schedules.
public enum ScheduleEvent<Action: Sendable>: Sendable {
    /// A schedule was put in, in place of one with the same identifier if there was one; `due` is nil while an interval is
    /// held.
    case scheduled(String, due: Instant?)
    /// It is time.
    case fired(ScheduleFiring<Action>)
    /// What it missed was left out; `next` is nil where that was all.
    case skipped(String, due: Instant, next: Instant?)
    /// It was held, all of them where there is no identifier.
    case paused(String?)
    /// It goes on, all of them where there is no identifier.
    case resumed(String?)
    /// It has gone.
    case removed(String, ScheduleRemoval)
}

/// Why a schedule has gone.
public enum ScheduleRemoval: Hashable, Sendable {
    /// It has happened for the last time.
    case completed
    /// It was cancelled.
    case cancelled
    /// Nothing was left after what it missed.
    case skipped
}

/// A schedule whose time has come.
public struct ScheduleFiring<Action: Sendable>: Sendable, Identifiable {
    /// The schedule.
    public let id: String
    /// What is to be done.
    public let action: Action
    /// When it was due: earlier than now after a pause, or when nobody was there.
    public let due: Instant
    /// How often it has fired, this time included.
    public let count: Int
}

extension ScheduleEvent: Equatable where Action: Equatable {}
extension ScheduleEvent: Hashable where Action: Hashable {}
extension ScheduleFiring: Equatable where Action: Equatable {}
extension ScheduleFiring: Hashable where Action: Hashable {}
