// Who listens, as an operator sees it.

import Base
import EventStream
import Gateway
import HTTPTransport
import Wire

/// A stream as its loop's thread knows it.
struct ClientReport: Sendable {
    var socket: StreamSocketReport
    var statistics: StreamStatistics
    /// Named events and last frames that wait.
    var waitingEvents: Int
}

extension ClientReport {
    /// Appends it as JSON.
    /// - Parameters:
    ///   - subscription: What the stream asked for; nil where it has gone.
    ///   - permit: What let it in.
    ///   - age: Nanoseconds that it has been there.
    func append(
        _ subscription: (patterns: [TopicPattern], topics: Int)?, permit: (any StreamPermit)?,
        age: Int64,
        to json: inout JSONWriter
    ) {
        let key = socket.stream
        json.object {
            $0.member("client", "\(key.loop)-\(key.slot)-\(key.generation)")
            $0.member("peer", permit?.client ?? socket.peer)
            if let holder = permit?.holder { $0.member("token", holder) }
            $0.list("topics") { json in
                for pattern in subscription?.patterns ?? [] {
                    json.string("\(pattern.kind)/\(pattern.text)\(pattern.isPrefix ? "*" : "")".utf8)
                }
            }
            $0.member("topicCount", subscription?.topics ?? 0)
            $0.member("age", Double(age) / 1e9)
            $0.member("frames", Int(statistics.frames))
            $0.member("leftOut", Int(statistics.leftOut))
            $0.member("events", Int(statistics.events))
            $0.member("waitingEvents", waitingEvents)
            $0.member("sentBytes", Int(socket.sentBytes))
            $0.member("unsentBytes", socket.unsentBytes)
            $0.member("lagging", socket.isLagging)
        }
    }
}

/// Reports that come in, thread by thread, until all have and the list of them is begun.
struct ClientInspections {
    /// The most looks at one time.
    static let maximum = 16

    struct Inspection {
        var responder: any Responder
        var limit: Int
        /// Whose room the list takes.
        var owner: String?
        var missing: Int
        var reports: [ClientReport] = []
    }

    private var inspections: [UInt64: Inspection] = [:]
    private var lastTicket: UInt64 = 0

    var count: Int { inspections.count }
    var isFull: Bool { inspections.count >= Self.maximum }

    /// A ticket for a look that `begin` enters.
    mutating func ticket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    mutating func begin(_ ticket: UInt64, _ inspection: Inspection) { inspections[ticket] = inspection }

    /// Takes one thread's reports.
    /// - Returns: The look, once nothing is missing; it counts until it is finished.
    mutating func take(_ reports: [ClientReport], ticket: UInt64) -> Inspection? {
        inspections[ticket]?.reports += reports
        inspections[ticket]?.missing -= 1
        return inspections[ticket].flatMap { $0.missing > 0 ? nil : $0 }
    }

    /// Gives a look up for the list that is made of it.
    mutating func finish(_ ticket: UInt64) -> Inspection? { inspections.removeValue(forKey: ticket) }
}
