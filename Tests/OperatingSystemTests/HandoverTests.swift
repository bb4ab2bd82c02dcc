// A successor that was let take over: it serves, or it has ended.

import Glibc
import Testing

@testable import OperatingSystem

@Suite struct HandoverTests {
    private struct NotStarted: Error {}

    /// A process that does nothing for an hour, as a successor, and the descriptor by which a test reports for it.
    private func begin() throws -> (successor: Handover.Successor, report: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0, let reports = Descriptor(owning: ends[0]) else { throw NotStarted() }
        guard let listener = reports.duplicate() else { throw NotStarted() }
        let strings: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("sleep"), strdup("3600"), nil]
        defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
        var child: pid_t = 0
        guard unsafe posix_spawn(&child, "/bin/sleep", nil, nil, strings, nil) == 0 else { throw NotStarted() }
        return (Handover.Successor(child, report: reports, listener: listener), ends[1])
    }

    private func report(_ word: UInt8, to descriptor: Int32) {
        var byte = word
        #expect(unsafe write(descriptor, &byte, 1) == 1)
    }

    @Test(arguments: [[], [1]] as [[UInt8]])
    func `a successor that hangs is killed at the time limit and reaped`(words: [UInt8]) throws {
        let (successor, reports) = try begin()
        defer { close(reports) }
        kill(successor.number, SIGSTOP)
        for word in words { report(word, to: reports) }
        let failure = successor.awaitService(within: 100)
        #expect(failure?.description.contains("did not serve within") == true)
        // Not even as one that nobody has waited for.
        #expect(kill(successor.number, 0) == -1)
    }

    @Test func `a successor that reports that it serves is left running`() throws {
        let (successor, reports) = try begin()
        defer {
            close(reports)
            kill(successor.number, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(successor.number, &status, 0)
        }
        for word in [1, 2] as [UInt8] { report(word, to: reports) }
        #expect(successor.awaitService() == nil)
        #expect(kill(successor.number, 0) == 0)
    }
}
