// What each figure is and says; docs/operations.md has the same.

import Metrics

extension Metric {
    /// What kind of figure it is, what it says, and the labels that part it.
    struct About {
        let type: MetricType
        let help: String
        let labels: [String]
    }

    /// What it is and says.
    var about: About {
        switch self {
        case .resources: gauge("Tickers, progresses and schedules.", "kind")
        case .tracks: gauge("Tickers and progresses.")
        case .schedules: gauge("Pending schedules.")
        case .sampledTracks: gauge("Tracks that move and are watched.")
        case .commands: counter("Changes asked for.")
        case .completions: counter("Motions that ended.")
        case .firings: counter("Schedules that fired.")
        case .firingLateness: histogram("From the instant at which a schedule was due until it fired.")
        case .cutShort: counter("Advances that left something due for the next.")
        case .ticks: counter("Ticks that had something to do.")
        case .lateTicks: counter("Ticks that came later than a period.")
        case .tickLateness:
            histogram("From the instant of a tick that was to follow another until it began.")
        case .tickWork: histogram("How long ticks took: frames, events and their way to the stream threads.")
        case .frames: counter("Frames encoded, whatever the number of streams.")
        case .frameAge:
            histogram(
                "From the instant of a tick until its frames were with the kernel, of streams that take every tick's.")
        case .deliveryGap: histogram("Between the sends of two ticks of which one follows the other.")
        case .sentFrames: counter("Frames sent, each stream's.")
        case .conflatedFrames: counter("Frames that a newer one replaced before they were sent to a slow reader.")
        case .events: counter("Named events, whatever the number of streams.", "event")
        case .sentEvents: counter("Named events sent, each stream's.")
        case .streams: gauge("Open streams.")
        case .openedStreams: counter("Streams that began.")
        case .closedStreams: counter("Streams that ended.", "reason")
        case .refusedStreams: counter("Streams told to come back later.", "reason")
        case .stalledStreams: counter("Streams cut off because they took nothing.")
        case .slowStreams: counter("Streams ended because too much waited for them.")
        case .greeting:
            histogram("From the head of a request for a stream until its greeting was with the stream thread.")
        case .replays: counter("Streams that came back with the id of an event that is known.")
        case .resets: counter("Times that a stream was told that it may have missed something.", "reason")
        case .streamTopics: gauge("Topics of all streams together.")
        case .streamNames: gauge("Names and prefixes of all streams together.")
        case .historyBytes: gauge("Bytes of named events kept for replay.")
        case .sends: counter("Sends to streams.")
        case .streamBytes: counter("Bytes sent to streams.")
        case .rings: gauge("Threads of streams that send by io_uring.")
        case .requests:
            histogram(
                "From the end of a request's head until its answer was handed over; of a stream, until it began.",
                "route", "method", "status")
        case .answerBytes: counter("Bytes of answers' bodies, those in portions and streams aside.")
        case .lateConnections: counter("Connections cut off because a request or its answer took too long.")
        case .displacedConnections:
            counter("Connections cut off to make room, while a request was awaited on them.")
        case .refusedTokens: counter("Tokens brought that don't count.")
        default: aboutKeeping
        }
    }

    /// That of what is kept, called and bounded, and of the server itself.
    private var aboutKeeping: About {
        switch self {
        case .commitTime: histogram("From a turn's changes being handed to the store until they were on the disk.")
        case .syncTime: histogram("How long the statements took that end transactions, with which they go to the disk.")
        case .commits: counter("Commits.")
        case .storedChanges: counter("Records written.")
        case .storeWaiting: gauge("Submissions that wait for a commit.")
        case .storeWaitingBytes: gauge("Bytes of submissions that wait for a commit.")
        case .quarantined: gauge("Records that can't be read and were set aside.")
        case .storeSize: gauge("Bytes of the store's files.")
        case .storeLogBytes: gauge("Bytes that the write-ahead log holds.")
        case .checkpointFailures: counter("Times that the write-ahead log could not be moved into the database.")
        case .storeFailing: gauge("1 when the last commit failed.")
        case .replicas: gauge("Replicas that were heard of lately.")
        case .logPosition: gauge("The last entry that was carried out.")
        case .logLag: gauge("Entries of the log that were not carried out, when it was last asked.")
        case .logPending: gauge("Requests on their way through the log.")
        case .logEntriesSent: counter("Entries that this replica has handed over.")
        case .logFollowing: gauge("1 while entries are taken and read.")
        case .boardReloads: counter("Times that the board was loaded anew.")
        case .steward: gauge("1 on the replica that calls webhooks.")
        case .logClockOffset: gauge("By how much the log's time is ahead of this machine's clock.")
        case .logClockUncertainty: gauge("The most by which the log's time may be wrong here.")
        case .webhooksPending: gauge("Webhooks that wait or are under way.")
        case .webhooksFailed: gauge("Webhooks that were given up and are kept.")
        case .webhookCalls: counter("Calls of webhooks that were begun.")
        case .webhooksDelivered: counter("Webhooks that were taken.")
        case .webhookTime: histogram("How long calls of webhooks took, by what came of them.", "outcome")
        case .limit: gauge("The most there may be.", "name")
        case .usage: gauge("How much of a limit is in use.", "name")
        case .limitRefusals: counter("What went beyond a limit of one token or address.", "name")
        case .draining: gauge("1 while the server ends.")
        case .logLines: counter("Lines handed to the log.", "level")
        case .logLinesDropped: counter("Lines that the log left out: nobody took them, or too many of a kind.")
        case .auditLinesDropped: counter("Audit lines that the file did not take.")
        case .build: About(type: .info, help: "What runs here.", labels: ["version", "store"])
        case .timeZones: About(type: .info, help: "The time zones that the board goes by.", labels: ["version"])
        default: aboutProcess
        }
    }

    private var aboutProcess: About {
        switch self {
        case .processCPU: counter("Processor time, of the program and of the system for it.")
        case .processResident: gauge("Memory that is in use.")
        case .processVirtual: gauge("Addresses that are in use.")
        case .processOpenDescriptors: gauge("Descriptors that are open.")
        case .processMaxDescriptors: gauge("Descriptors that may be open.")
        case .processStart: gauge("Unix time of the start.")
        default: gauge("Threads.")
        }
    }

    private func gauge(_ help: String, _ labels: String...) -> About { About(type: .gauge, help: help, labels: labels) }

    private func counter(_ help: String, _ labels: String...) -> About {
        About(type: .counter, help: help, labels: labels)
    }

    private func histogram(_ help: String, _ labels: String...) -> About {
        About(type: .histogram, help: help, labels: labels)
    }
}
