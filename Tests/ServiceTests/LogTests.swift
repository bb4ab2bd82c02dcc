// The log: bounded, fair to each message, safe to read in both forms, and no reason to wait.

import Base
import Foundation
import Testing

@testable import TweencastService

@Suite struct LogTests {
    private static let second: Int64 = 1_000_000_000

    private static func line(
        _ kind: LogKind, _ message: String, _ fields: LogMessage.Fields = [], isRecord: Bool = false
    ) -> LogMessage {
        LogMessage(time: 0, level: .info, kind: kind, message: message, fields: fields, isRecord: isRecord)
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    // MARK: - What waits

    @Test func `a log message is limited per minute, and its dropped lines are reported at the end`() {
        var queue = LogQueue()
        for number in 0..<100 { _ = queue.add(Self.line(.action, "refused", [("n", .whole(number))]), at: 5) }
        _ = queue.add(Self.line(.action, "late"), at: 6)
        let first = queue.dequeue(at: 7, 0)
        #expect(first.count == LogQueue.linesPerMinute + 1 && first.last?.message == "late")
        #expect(queue.dropped == UInt64(100 - LogQueue.linesPerMinute))
        #expect(queue.nextDue == 60 * Self.second + 5)
        #expect(queue.dequeue(at: 60 * Self.second, 0).isEmpty)
        let told = queue.dequeue(at: 60 * Self.second + 5, 0).map { lines(LogLine.bytes(of: $0, as: .text))[0] }
        let tale = "repeated log lines dropped text=refused lines=40"
        #expect(told == ["1970-01-01T00:00:00.000Z warning action: \(tale)"])
        #expect(queue.nextDue == nil)
        _ = queue.add(Self.line(.action, "refused"), at: 61 * Self.second)
        #expect(queue.dequeue(at: 61 * Self.second, 0).count == 1)
    }

    @Test func `only new log lines and the first dropped one wake the writer`() {
        var queue = LogQueue()
        let looks = (0..<100).filter { _ in queue.add(Self.line(.action, "a"), at: 0) }
        #expect(looks.count == LogQueue.linesPerMinute + 1)
    }

    @Test func `at shutdown dropped log lines are reported at once`() {
        var queue = LogQueue()
        for _ in 0...LogQueue.linesPerMinute { _ = queue.add(Self.line(.clock, "c"), at: 0) }
        #expect(queue.dequeueLast(0).last?.message == "repeated log lines dropped")
    }

    @Test func `a report of dropped log lines is kept while the log queue is full`() {
        var queue = LogQueue()
        for _ in 0..<100 { _ = queue.add(Self.line(.action, "refused"), at: 0) }
        for number in 0..<LogQueue.maximumLines { _ = queue.add(Self.line(.store, "line \(number)"), at: 1) }
        // A minute later the next line would report what was dropped, and the queue is still full.
        _ = queue.add(Self.line(.action, "refused"), at: 60 * Self.second)
        let reports = queue.dequeue(at: 60 * Self.second, 0).filter { $0.message == "repeated log lines dropped" }
        #expect(reports.count == 1)
    }

    @Test func `access records have no limit per message, and leave room for other log lines`() {
        var queue = LogQueue()
        for _ in 0..<5_000 { _ = queue.add(Self.line(.request, "answered", isRecord: true), at: 0) }
        let most = LogQueue.maximumLines * 3 / 4
        #expect(queue.count == most && queue.dropped == UInt64(5_000 - most))
        // What isn't one finds room behind them.
        _ = queue.add(Self.line(.store, "the disk is full"), at: 0)
        let taken = queue.dequeue(at: 1, 0)
        #expect(taken.count == most + 2 && taken[most].message == "the disk is full")
        #expect(taken.last?.message == "log lines dropped: standard error is not being read fast enough")
        #expect(queue.count == 0 && queue.bytes == 0)
    }

    @Test func `waiting log lines are limited in bytes`() {
        var queue = LogQueue()
        let long = String(repeating: "x", count: 2_100)
        for number in 0..<900 {
            _ = queue.add(Self.line(.action, "\(number)", [("text", .text(long))]), at: 0)
        }
        #expect(queue.bytes <= LogQueue.maximumBytes && queue.count < 900)
        for entry in queue.dequeue(at: 1, 0) {
            for format in LogFormat.allCases {
                #expect(LogLine.bytes(of: entry, as: format).count <= LogLine.maximumBytes)
            }
        }
    }

    // MARK: - What is written

    @Test func `a text log line has time, level, subject and quoted fields`() {
        let entry = LogMessage(
            time: 1_792_000_000_123_456_789, level: .warning, kind: .stream, message: "ended",
            fields: [
                ("reason", .text("client")), ("client", .text("")), ("what", .text("a \"b\" \\ c")),
                ("topics", .whole(-3)), ("seconds", .real(1.25)),
            ])
        let fields = #"reason=client client="" what="a \"b\" \\ c" topics=-3 seconds=1.25"#
        #expect(
            lines(LogLine.bytes(of: entry, as: .text)) == ["2026-10-14T17:46:40.123Z warning stream: ended \(fields)"])
    }

    @Test(arguments: [(LogLevel.debug, 7), (.info, 6), (.warning, 4), (.error, 3)])
    func `a log line for the journal begins with its priority`(level: LogLevel, priority: Int) {
        let entry = LogMessage(time: 0, level: level, kind: .stream, message: "ended", fields: [("n", .whole(1))])
        #expect(
            lines(LogLine.bytes(of: entry, as: .text, forJournal: true)) == ["<\(priority)>stream: ended n=1"])
        let object = lines(LogLine.bytes(of: entry, as: .json))[0]
        #expect(lines(LogLine.bytes(of: entry, as: .json, forJournal: true)) == ["<\(priority)>\(object)"])
    }

    @Test func `a JSON log line is valid and escapes control and bidirectional characters`() throws {
        let hostile = "a\"b\\c\n\u{1B}[2J\u{2028}\u{202E}Ä🍏\0"
        let entry = LogMessage(
            time: 1_792_000_000_123_456_789, level: .error, kind: .store, message: "m",
            fields: [("text", .text(hostile)), ("n", .whole(7)), ("x", .real(0.5)), ("none", .real(.infinity))])
        let bytes = LogLine.bytes(of: entry, as: .json)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(object["time"] as? String == "2026-10-14T17:46:40.123Z")
        #expect(object["level"] as? String == "error" && object["subject"] as? String == "store")
        #expect(object["message"] as? String == "m" && object["text"] as? String == hostile)
        #expect(object["n"] as? Int == 7 && object["x"] as? Double == 0.5 && object["none"] is NSNull)
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 } && !bytes.contains(0x7F))
        #expect(
            !String(decoding: bytes, as: UTF8.self).unicodeScalars.contains { (0x200E...0x2069).contains($0.value) })
    }

    @Test func `a JSON log line with long fields stays valid within the maximum length`() throws {
        let worst = String(repeating: "\u{1B}", count: 5_000)
        let entry = Self.line(.action, "m", (0..<20).map { ("field\($0)", .text(worst)) })
        let bytes = LogLine.bytes(of: entry, as: .json)
        #expect(bytes.count <= LogLine.maximumBytes)
        #expect(try JSONSerialization.jsonObject(with: Data(bytes)) is [String: Any])
    }

    @Test(arguments: [
        ("a\ntweencast: forged", #""a\u{A}tweencast: forged""#), ("\u{1B}[2J", #""\u{1B}[2J""#),
        ("a\rb\tc", #""a\u{D}b\u{9}c""#), ("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#),
        ("\u{85}\u{9B}\u{7F}", #"\u{85}\u{9B}\u{7F}"#), ("\u{202E}x\u{2066}", #"\u{202E}x\u{2066}"#),
        ("a\u{61C}\u{200B}\u{FEFF}b", #"a\u{61C}\u{200B}\u{FEFF}b"#), ("\u{E0041}\u{A0}", #"\u{E0041}\u{A0}"#),
        ("24 °C, Äpfel 🍏", #""24 °C, Äpfel 🍏""#), ("a\0b", #""a\u{0}b""#), ("a\r\nb", #""a\u{D}\u{A}b""#),
        ("a=b", "a=b"),
    ])
    func `client text in a log line is escaped and can't forge lines or control a terminal`(
        written: String, shown: String
    ) {
        let line = lines(LogLine.bytes(of: Self.line(.action, "m", [("f", .text(written))]), as: .text))
        #expect(line == ["1970-01-01T00:00:00.000Z info action: m f=\(shown)"])
    }

    // MARK: - The thread that writes

    @Test func `an unread pipe blocks neither log writers nor shutdown, and dropped lines are counted`() throws {
        let pipe = Pipe()
        let log = Log(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let kinds = LogKind.allCases
        // More than a pipe holds, and more than anybody's share.
        for number in 0..<2_000 {
            log.write(
                kinds[number % kinds.count], .info, "m", [("text", .text(String(repeating: "x", count: 500)))],
                isRecord: true)
        }
        #expect(log.dropped > 0)
        // It has ended when this returns, though the pipe is full.
        log.finish(within: 0.05)
        log.write(.service, .info, "too late")
    }

    @Test func `log lines are written in order, and the last ones before shutdown`() throws {
        let pipe = Pipe()
        let log = Log(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        for number in 0..<50 { log.write(.service, .info, "line \(number)") }
        log.finish(within: 10)
        try pipe.fileHandleForWriting.close()
        let read = lines([UInt8](try pipe.fileHandleForReading.readToEnd() ?? Data()))
        #expect(
            read.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
                == (0..<50).map { "info service: line \($0)" })
    }

    @Test func `log lines below the level are dropped, and those written are counted by level`() throws {
        let pipe = Pipe()
        let log = Log(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(log.level == .info && log.levelOfRequests == nil)
        log.write(.service, .debug, "a")
        log.level = .warning
        log.write(.service, .info, "b")
        log.write(.service, .error, "c")
        log.level = .debug
        log.format = .json
        log.write(.service, .debug, "d")
        #expect(log.levelOfRequests == .debug)
        log.accessLevel = nil
        #expect(log.levelOfRequests == nil)
        #expect(log.lines[.debug] == 1 && log.lines[.info] == 0 && log.lines[.error] == 1)
        log.finish(within: 10)
        try pipe.fileHandleForWriting.close()
        let read = lines([UInt8](try pipe.fileHandleForReading.readToEnd() ?? Data()))
        #expect(read.count == 2 && read[0].contains("c") && read[1].contains("d"))
    }

    @Test func `a broken log descriptor does not stop the service`() {
        let log = Log(descriptor: 1_000_000)
        for _ in 0..<10 { log.write(.service, .info, "nobody hears this") }
        log.finish(within: 10)
    }
}
