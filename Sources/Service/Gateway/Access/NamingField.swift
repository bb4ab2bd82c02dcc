// Every field of the API that can name a resource, a notification or a stream, with the right that it needs. Only tests
// read this table, the checks are in `Rights`: one requires a row for each field of the contract, another tries each row of
// a request on a running server.

/// A field that can name something.
package struct NamingField: Hashable, Sendable {
    /// What a client needs to send the field or to receive it, or why it needs nothing.
    package enum Rule: Hashable, Sendable {
        /// To publish what is named: it will be changed, created or announced. For all schedules, the right to all of them.
        case publish
        /// To subscribe to what is named, which is read or watched. A pattern is reduced to what may be read.
        case subscribe
        /// Either: something else depends on it, which reveals whether it exists.
        case either
        /// None: it is a position in a list, and lists only contain what their reader may read.
        case cursor
        /// The same account: a stream belongs to its reader.
        case owner
        /// To be an admin.
        case admin
        /// Received: the subject itself, only sent to those who may subscribe to it or have just changed it.
        case subject
        /// Received by those who may subscribe to it, and omitted for others.
        case omitted
    }

    /// The schema and its property, such as `Start.after`; for a parameter `parameters` and its name in the components.
    package var place: String
    package var rule: Rule

    private init(_ place: String, _ rule: Rule) {
        self.place = place
        self.rule = rule
    }

    package static let all: [NamingField] =
        rows(
            .publish, "TickerChange.ticker", "TextChange.ticker", "ProgressChange.progress", "Operation.ticker",
            "Operation.progress", "Operation.schedule", "NotifyAction.notify", "NotifyLine.notify",
            "ScheduleDefinition.id", "parameters.notificationName")
        + rows(.either, "Start.with", "Start.after")
        + rows(
            .subscribe, "Selection.ticker", "Selection.progress", "Selection.schedule", "Selection.notification",
            "TicketRequest.ticker", "TicketRequest.progress", "TicketRequest.schedule", "TicketRequest.notification",
            "parameters.tickerTopics", "parameters.progressTopics", "parameters.scheduleTopics",
            "parameters.notificationTopics")
        // For a path it depends on the method: reads need the one right, changes the other, and a change that is answered by
        // its stream both.
        + rows(
            .subscribe, "parameters.tickerID", "parameters.progressID", "parameters.scheduleID",
            "asyncapi.parameters.id")
        + rows(.publish, "parameters.tickerID", "parameters.progressID", "parameters.scheduleID")
        + rows(.cursor, "parameters.after", "parameters.prefix", "parameters.scheduleAfter")
        + rows(.owner, "parameters.streamName", "HelloEvent.stream")
        + rows(.admin, "parameters.webhookID", "ListeningClient.topics", "FailedWebhook.by")
        + rows(
            .subject, "Ticker.ticker", "Progress.progress", "Schedule.schedule", "History.ticker", "History.progress",
            "FrameList.ticker", "FrameList.progress", "FrameLines", "ListedFrame.ticker", "ListedFrame.progress",
            "responses.TickerFrames", "responses.ProgressFrames",
            "TickerPage.next", "ProgressPage.next", "ScheduleList.next", "TickerFrame.ticker", "ProgressFrame.progress",
            "ScheduleFrame.schedule", "MotionEvent", "CompleteEvent", "MilestoneEvent", "ScheduledEvent.schedule",
            "FiredEvent.schedule", "SkippedEvent.schedule", "NotificationEvent.notification", "PauseEvent.ticker",
            "PauseEvent.progress", "PauseEvent.schedule", "RemovedEvent", "Image", "ShieldsEndpoint.label",
            "headers.Location", "headers.LocationIfMade", "Sum.progress", "Sum.ticker")
        + rows(.omitted, "Schedule.by", "NotificationEvent.by")

    private static func rows(_ rule: Rule, _ places: String...) -> [NamingField] {
        places.map { NamingField($0, rule) }
    }
}
