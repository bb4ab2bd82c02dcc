// What bounds a board, and who writes its numbers.

package import RecurrenceRules

extension Engine {
    /// Limits and collaborators.
    package struct Configuration: Sendable {
        /// The most tickers and progresses together.
        package var maximumTracks = 1_000_000
        package var maximumSchedules = 1_000_000
        /// The most bytes that all resources take up, as `footprint` estimates them. What a store kept is taken whatever it
        /// takes up.
        package var maximumBytes = 1_073_741_824
        /// The most ends and firings of one `advance`, so that a crowd due at one instant starves no frame: ten thousand
        /// take forty ticks.
        package var maximumStepsPerAdvance = 250
        /// The most actions of one `advance`; the list that is begun is carried out whole.
        package var maximumActionsPerAdvance = 500
        /// The most bytes of events of one `advance`; the list of actions that is begun is carried out whole.
        package var maximumEventBytesPerAdvance = 64 * 1_024
        /// The most schedules that are paused, resumed or removed at a time when all of them are.
        package var maximumSchedulesPerSweep = 500
        /// The most ends, and the most firings, that queue up for their turn at the start of one `advance`.
        package var maximumQueuedPerAdvance = 1_000
        /// The most actions that wait for their time: those with a delay, and what other actions cut off or finished.
        package var maximumDelayedActions = 100_000
        /// Seconds between an action's start of a motion and the earliest completion of it, and between an action that makes
        /// a schedule and its first firing: a chain of actions that take no time goes at this pace instead of for ever at one
        /// instant.
        package var shortestActionMotion = 1.0 / 60
        package var planner: any Planner
        /// By which calendars schedules go; nil: by those that they were read with.
        package internal(set) var rules: (any CalendarRules)?

        package init(planner: any Planner, rules: (any CalendarRules)? = nil) {
            self.planner = planner
            self.rules = rules
        }
    }
}
