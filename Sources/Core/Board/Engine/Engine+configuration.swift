// A board's limits, and the planner that formats its numbers.

package import RecurrenceRules

extension Engine {
    /// Limits and collaborators.
    package struct Configuration: Sendable {
        /// The most tickers and progresses together.
        package var maximumTracks = 1_000_000
        package var maximumSchedules = 1_000_000
        /// The most bytes of all resources, as `footprint` estimates them. Stored resources are restored even beyond it.
        package var maximumBytes = 1_073_741_824
        /// The most work of one `advance`, in units of about a microsecond (`AdvanceWork`), so that much due at one instant
        /// doesn't delay frames: ten thousand ends take some forty ticks. A list of actions that has started is finished.
        package var maximumWorkPerAdvance = 4_000
        /// The most schedules that one call pauses, resumes or removes when all of them are to be.
        package var maximumSchedulesPerSweep = 500
        /// The most ends, and the most firings, that are queued at the start of one `advance`.
        package var maximumQueuedPerAdvance = 1_000
        /// The most waiting actions: delayed ones, and those of motions that other actions ended.
        package var maximumDelayedActions = 100_000
        /// The least seconds from an action's start of a motion to its completion, and from an action that makes a schedule
        /// to its first firing. It paces chains of actions that take no time; otherwise they could loop for ever at one
        /// instant.
        package var shortestActionMotion = 1.0 / 60
        package var planner: any Planner
        /// The calendar rules of schedules; nil: those that each schedule was read with.
        package internal(set) var rules: (any CalendarRules)?

        package init(planner: any Planner, rules: (any CalendarRules)? = nil) {
            self.planner = planner
            self.rules = rules
        }
    }
}
