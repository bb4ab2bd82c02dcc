// A log of many days: what clients ask now and then, and what falls due in between.

import Base
import Machine
import RecurrenceRules
import Replication
import TestSupport
import Tween

/// Does what the replicas of a board do, in simulated time, and keeps the log.
struct LogRecorder {
    /// When schedules fire: by dates, by elapsed time, and by calendars whose days are 23 and 25 hours long now and then.
    private static let timings = [
        #""every":"0 9 * * 1-5","timeZone":"Europe/Berlin""#, #""every":"30 2 * * *","timeZone":"America/New_York""#,
        #""every":"@daily","timeZone":"Asia/Kolkata""#, #""every":"@weekly""#,
        #""every":"P1M","timeZone":"Asia/Riyadh""#, #""every":"P1D","timeZone":"Australia/Lord_Howe""#,
        #""every":"15 */4 * * *","timeZone":"America/Sao_Paulo""#, #""every":"0 0 29 2 *""#, #""every":"PT6H""#,
        #""every":86400"#, #""every":5400"#, #""in":3600"#, #""in":0"#, #""at":"2026-03-29T02:30:00+01:00""#,
        #""at":"2026-12-31T23:59:59Z""#,
    ]
    /// 1 January 2026.
    private static let start = Instant(nanoseconds: 1_767_225_600_000_000_000)
    /// Seconds between two clients, at the most.
    private static let pause = 20_000.0

    private var requests: RandomRequests
    private var log = LogFile()
    private var followed = FollowedMachine()
    private var now = Self.start
    private let end: Instant

    init(seed: UInt64, days: UInt64) {
        requests = RandomRequests(seed: seed, rules: ZonedCalendar(), timings: Self.timings)
        end = Self.start.advanced(bySeconds: Double(days) * 86_400)
    }

    /// Writes the log, and says what came of it.
    consuming func record(to path: String) throws {
        while now < end {
            let next = now.advanced(bySeconds: requests.random.double(0...Self.pause))
            try passTime(until: next)
            now = next
            if requests.random.chance(0.005) { try setClock() } else { try ask() }
        }
        followed.tellAll()
        try log.write(to: path)
    }

    /// What falls due is asked for, as replicas do; frames in between look for milestones now and then.
    private mutating func passTime(until next: Instant) throws {
        while let due = followed.nextDue, due <= next { try append(.turn([]), at: due) }
        for _ in 0..<requests.random.int(0...2) {
            try append(.turn([]), at: followed.position.instant.advanced(bySeconds: requests.random.double(0...1)))
        }
    }

    private mutating func ask() throws {
        var asked = (0..<requests.random.int(1...6)).map { _ in requests.request() }
        if let batch = requests.batch { asked.append(.batch(batch)) }
        requests.batch = nil
        var draft = EntryDraft()
        for request in asked {
            guard case .batch(var part) = request else {
                draft.add(request)
                continue
            }
            part.lines = part.lines.prefix(Machine.linesPerPart)
            draft.add(.batch(part))
        }
        try append(draft.payload, at: now)
    }

    private mutating func setClock() throws {
        let shift = Int64(requests.random.int(-7_200...7_200)) * 1_000_000_000
        now = max(now, followed.position.instant).advanced(byNanoseconds: shift)
        try append(LogContent.clockSet(shift).bytes, asIs: now)
    }

    private mutating func append(_ content: LogContent, at instant: Instant) throws {
        try append(content.bytes, at: instant)
    }

    /// Instants rise, as the log's keeper has them.
    private mutating func append(_ payload: [UInt8], at instant: Instant) throws {
        try append(payload, asIs: max(instant, followed.position.instant.advanced(byNanoseconds: 1_000)))
    }

    private mutating func append(_ payload: [UInt8], asIs instant: Instant) throws {
        let entry = log.append(payload, at: instant, as: EntryName(rawValue: requests.random.next()))
        for outcome in try followed.take(entry, waiter: 5) { requests.follow(outcome) }
    }
}

/// Says what comes of a log that another process has recorded.
enum LogReplay {
    /// - Parameter every: After so many entries it goes on from a snapshot.
    static func tell(_ log: LogFile, restoring every: UInt64?) throws {
        var followed = FollowedMachine()
        for entry in log.entries {
            _ = try followed.take(entry)
            if let every, entry.position.sequence % every == 0 { try followed.restore() }
        }
        followed.tellAll()
    }
}
