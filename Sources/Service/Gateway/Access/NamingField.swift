// Every field of the contract that can name a resource, a notification or a stream, and what naming one takes. A test walks
// the contract and asks for a row of each; another tries each row on a running server.

/// A field that can name something.
package struct NamingField: Hashable, Sendable {
    /// What somebody must be allowed who fills it, or is told it.
    package enum Rule: Hashable, Sendable {
        /// To publish what is named: it is changed, made, or told. Of all schedules, all of them.
        case publish
        /// To subscribe to what is named: it is looked at, or listened to. Of a pattern what may be heard is left.
        case subscribe
        /// Either: something else goes by it, and so tells whether it is there.
        case either
        /// Nothing: it says where a list goes on, and a list holds what its reader may read.
        case place
        /// To have been let in by the same account: a stream is its reader's own.
        case owner
        /// To be an admin.
        case admin
        /// Told: what it is about, to those alone who may subscribe to it or have just changed it.
        case subject
        /// Told to those who may subscribe to it, and left out for others.
        case told
    }

    /// The schema and its property, as `Start.after`; of a parameter `parameters` and its name among the components.
    package var place: String
    package var rule: Rule

    private init(_ place: String, _ rule: Rule) {
        self.place = place
        self.rule = rule
    }

    /// The table.
    package static let all: [NamingField] =
        rows(
            .publish, "TickerChange.ticker", "TextChange.ticker", "ProgressChange.progress", "Operation.ticker",
            "Operation.progress", "Operation.schedule", "NotifyAction.notify", "NotifyLine.notify",
            "ScheduleDefinition.id", "parameters.notificationName")
        + rows(.either, "Start.with", "Start.after")
        + rows(
            .subscribe, "Selection.ticker", "Selection.progress", "Selection.schedule", "Selection.notification",
            "TicketWish.ticker", "TicketWish.progress", "TicketWish.schedule", "TicketWish.notification",
            "parameters.tickerTopics", "parameters.progressTopics", "parameters.scheduleTopics",
            "parameters.notificationTopics")
        // Of a path, by its method: what is looked at needs the one right, what is changed the other.
        + rows(
            .subscribe, "parameters.tickerID", "parameters.progressID", "parameters.scheduleID",
            "asyncapi.parameters.id")
        + rows(.publish, "parameters.tickerID", "parameters.progressID", "parameters.scheduleID")
        + rows(.place, "parameters.after", "parameters.prefix", "parameters.scheduleAfter")
        + rows(.owner, "parameters.streamName", "HelloEvent.stream")
        + rows(.admin, "parameters.webhookID", "ListeningClient.topics", "FailedWebhook.by")
        + rows(
            .subject, "Ticker.ticker", "Progress.progress", "Schedule.schedule", "History.ticker", "History.progress",
            "TickerPage.next", "ProgressPage.next", "ScheduleList.next", "TickerFrame.ticker", "ProgressFrame.progress",
            "ScheduleFrame.schedule", "MotionEvent", "CompleteEvent", "MilestoneEvent", "ScheduledEvent.schedule",
            "FiredEvent.schedule", "SkippedEvent.schedule", "NotificationEvent.notification", "PauseEvent.ticker",
            "PauseEvent.progress", "PauseEvent.schedule", "RemovedEvent", "headers.Location", "headers.LocationIfMade")
        + rows(.told, "Schedule.by", "NotificationEvent.by")

    private static func rows(_ rule: Rule, _ places: String...) -> [NamingField] {
        places.map { NamingField($0, rule) }
    }
}
