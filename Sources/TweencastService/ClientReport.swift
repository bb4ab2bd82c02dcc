// Who listens, as an operator sees it.

import EventStream
import HTTPTransport
import Wire

/// A stream as its loop's thread knows it.
struct ClientReport: Sendable {
    var socket: StreamSocketReport
    var statistics: StreamStatistics
    /// Named events and last frames that wait.
    var waitingEvents: Int
}

/// Reports that come in, thread by thread, until all have.
struct ClientInspections {
    /// The most looks at one time.
    static let maximum = 16

    struct Inspection {
        var exchange: any Exchange
        var limit: Int
        var missing: Int
        var reports: [ClientReport] = []
    }

    private var inspections: [UInt64: Inspection] = [:]
    private var lastTicket: UInt64 = 0

    var isFull: Bool { inspections.count >= Self.maximum }

    /// A ticket for a look that `begin` enters.
    mutating func ticket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    mutating func begin(_ ticket: UInt64, _ inspection: Inspection) { inspections[ticket] = inspection }

    /// Takes one thread's reports.
    /// - Returns: The whole look, once nothing is missing.
    mutating func take(_ reports: [ClientReport], ticket: UInt64) -> Inspection? {
        guard var inspection = inspections[ticket] else { return nil }
        inspection.reports += reports
        inspection.missing -= 1
        inspections[ticket] = inspection.missing > 0 ? inspection : nil
        return inspection.missing > 0 ? nil : inspection
    }
}
