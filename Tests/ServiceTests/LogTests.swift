// The log: bounded, fair to each subject, safe to read, and no reason to wait.

import Foundation
import Testing

@testable import TweencastService

@Suite struct LogTests {
    private static let second: Int64 = 1_000_000_000

    private func text(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a kind has its share of a minute, and what was left out is told at its end`() {
        var queue = LogQueue()
        for number in 0..<100 { _ = queue.add(.action, "\(number)", at: 5) }
        _ = queue.add(.store, "the disk is full", at: 6)
        let first = text(queue.take(at: 7))
        #expect(first.count == LogQueue.linesPerMinute + 1)
        #expect(first.last == "tweencast: the disk is full")
        #expect(queue.leftOut == UInt64(100 - LogQueue.linesPerMinute))
        #expect(queue.nextDue == 60 * Self.second + 5)
        #expect(queue.take(at: 60 * Self.second).isEmpty)
        #expect(text(queue.take(at: 60 * Self.second + 5)) == ["tweencast: 40 more lines about actions were left out"])
        #expect(queue.nextDue == nil)
        _ = queue.add(.action, "again", at: 61 * Self.second)
        #expect(text(queue.take(at: 61 * Self.second)) == ["tweencast: again"])
    }

    @Test func `a new line is worth a look, and the first that is left out`() {
        var queue = LogQueue()
        let looks = (0..<100).filter { _ in queue.add(.action, "a", at: 0) }
        #expect(looks.count == LogQueue.linesPerMinute + 1)
    }

    @Test func `at the end what was left out is told at once`() {
        var queue = LogQueue()
        for _ in 0...LogQueue.linesPerMinute { _ = queue.add(.clock, "c", at: 0) }
        #expect(text(queue.takeLast()).last == "tweencast: 1 more lines about the clock were left out")
    }

    @Test func `lines that nobody takes are bounded in number and bytes, and told of when somebody does`() {
        var queue = LogQueue()
        let long = String(repeating: "x", count: 2_100)
        for minute in 0..<Int64(5) {
            for _ in 0..<LogQueue.linesPerMinute { _ = queue.add(.action, long, at: minute * 60 * Self.second) }
        }
        let bytes = queue.take(at: 5 * 60 * Self.second)
        #expect(bytes.count <= LogQueue.maximumBytes + LogQueue.maximumLineBytes)
        let lines = text(bytes)
        #expect(lines.count <= LogQueue.maximumLines + 1)
        #expect(lines.allSatisfy { $0.utf8.count <= LogQueue.maximumLineBytes })
        #expect(lines.last?.hasSuffix("lines of this log were left out: nobody took them") == true)
        #expect(queue.leftOut > 0)
    }

    @Test func `short lines are bounded in number`() {
        var queue = LogQueue()
        for minute in 0..<Int64(20) {
            for _ in 0..<LogQueue.linesPerMinute { _ = queue.add(.action, "x", at: minute * 60 * Self.second) }
        }
        #expect(text(queue.take(at: 20 * 60 * Self.second)).count == LogQueue.maximumLines + 1)
    }

    @Test(arguments: [
        ("a\ntweencast: forged", "a\\u{A}tweencast: forged"), ("\u{1B}[2J", "\\u{1B}[2J"),
        ("a\rb\tc", "a\\u{D}b\\u{9}c"),
        ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"), ("\u{85}\u{9B}\u{7F}", "\\u{85}\\u{9B}\\u{7F}"),
        ("\u{202E}x\u{2066}", "\\u{202E}x\\u{2066}"), ("24 °C, Äpfel 🍏", "24 °C, Äpfel 🍏"), ("a\0b", "a\\u{0}b"),
        ("a\r\nb", "a\\u{D}\\u{A}b"),
    ])
    func `what clients wrote can be read and do nothing else`(written: String, shown: String) {
        var queue = LogQueue()
        _ = queue.add(.action, written, at: 0)
        #expect(text(queue.take(at: 0)) == ["tweencast: \(shown)"])
    }

    @Test func `a pipe that nobody reads holds nobody up, and what was left out is told when somebody does`() throws {
        let pipe = Pipe()
        let log = Log(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let kinds = LogKind.allCases
        // More than a pipe holds, and more than anybody's share.
        for number in 0..<2_000 {
            log.write(kinds[number % kinds.count], "\(number) " + String(repeating: "x", count: 1_000))
        }
        #expect(log.leftOut > 0)
        // It has ended when this returns, though the pipe is full.
        log.finish(within: 0.05)
        log.write(.service, "too late")
    }

    @Test func `what is written comes out in order, and the last of it before the end`() throws {
        let pipe = Pipe()
        let log = Log(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        for number in 0..<50 { log.write(.service, "line \(number)") }
        log.finish(within: 10)
        try pipe.fileHandleForWriting.close()
        let read = text([UInt8](try pipe.fileHandleForReading.readToEnd() ?? Data()))
        #expect(read == (0..<50).map { "tweencast: line \($0)" })
    }

    @Test func `a descriptor that is broken is no reason to stop`() {
        let log = Log(descriptor: 1_000_000)
        for _ in 0..<10 { log.write(.service, "nobody hears this") }
        log.finish(within: 10)
    }
}
