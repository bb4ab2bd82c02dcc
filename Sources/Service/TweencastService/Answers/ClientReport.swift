// The list of clients, as an operator sees it.

import Base
import EventStream
import Gateway
import HTTPTransport
import Wire

/// A stream, as its stream thread reports it.
struct ClientReport: Sendable {
    var socket: StreamSocketReport
    var statistics: StreamStatistics
    /// Named events and final frames that wait.
    var waitingEvents: Int
}

extension ClientReport {
    /// Appends the report as JSON.
    /// - Parameters:
    ///   - subscription: What the stream asked for; nil if it has closed.
    ///   - permit: The permit under which the stream was admitted.
    ///   - age: Nanoseconds since the stream opened.
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

/// Collects the reports of all stream threads for each requested list of clients.
struct ClientInspections {
    /// The most inspections at a time.
    static let maximum = 16

    struct Inspection {
        var responder: any Responder
        var limit: Int
        /// The owner whose quota the list counts against.
        var owner: String?
        var missing: Int
        var reports: [ClientReport] = []
    }

    private var inspections: [UInt64: Inspection] = [:]
    private var lastNumber: UInt64 = 0

    var count: Int { inspections.count }
    var isFull: Bool { inspections.count >= Self.maximum }

    /// Returns a number for an inspection; `begin` registers it.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func begin(_ number: UInt64, _ inspection: Inspection) { inspections[number] = inspection }

    /// Adds one thread's reports.
    /// - Returns: The inspection, once all threads have reported. It counts until `finish`.
    mutating func receive(_ reports: [ClientReport], number: UInt64) -> Inspection? {
        inspections[number]?.reports += reports
        inspections[number]?.missing -= 1
        return inspections[number].flatMap { $0.missing > 0 ? nil : $0 }
    }

    /// Removes an inspection and returns it, to make the list.
    mutating func finish(_ number: UInt64) -> Inspection? { inspections.removeValue(forKey: number) }
}
