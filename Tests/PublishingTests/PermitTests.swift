// Streams that stay for as long as what let them in counts.

import EventStream
import Synchronization
import TestSupport
import Testing
import Tween

@testable import Publishing

private final class Permit: StreamPermit {
    let expires: Int64
    private let honoured: Mutex<Bool>

    init(expires: Int64 = .max, isHonoured: Bool = true) {
        self.expires = expires
        honoured = Mutex(isHonoured)
    }

    var isHonoured: Bool { honoured.withLock { $0 } }
    var holder: String? { nil }
    var readable: TopicSelection? { nil }
    var client: String? { nil }

    func revoke() { honoured.withLock { $0 = false } }
}

@Suite struct PermitTests {
    private let script = PublisherScript()

    /// The reasons that the stream was told since the last look.
    private func drainSchedule() -> [String] {
        script.tick()
        let lines = script.sent()
        return zip(lines, lines.dropFirst()).filter { $0.0 == "event: bye" }.map(\.1)
    }

    @Test func `a stream whose permit is revoked ends with reason revoked`() throws {
        let permit = Permit()
        try script.open("a", permit: permit)
        script.publisher.reviewPermits(at: script.script.now)
        #expect(drainSchedule().isEmpty)
        permit.revoke()
        script.publisher.reviewPermits(at: script.script.now)
        #expect(drainSchedule() == [#"data: {"reason":"revoked"}"#])
    }

    @Test func `a stream opened with a revoked permit ends at once`() throws {
        try script.open("a", permit: Permit(isHonoured: false))
        #expect(drainSchedule() == [#"data: {"reason":"revoked"}"#])
    }

    @Test(arguments: [0, 1.5])
    func `a stream ends when its permit expires`(seconds: Double) throws {
        let expires = script.script.now.advanced(bySeconds: seconds)
        try script.open("a", permit: Permit(expires: expires.nanoseconds))
        if seconds > 0 {
            script.script.wait(seconds - 0.1)
            #expect(drainSchedule().isEmpty)
            script.script.wait(0.1)
        }
        #expect(drainSchedule() == [#"data: {"reason":"expired"}"#])
    }
}
