// The beginning of a log of events, which has the number 0, in the store.

import TestSupport
import Testing

@testable import TweencastService

@Suite struct LogBeginningTests {
    @Test func `the first events do not expire the beginning of their event log in the store`()
        throws
    {
        let script = NodeScript(keepsLog: true)
        _ = try script.post("a", #"{"to":1,"duration":0}"#)
        _ = try script.post("a", #"{"to":2,"duration":0}"#)
        script.turn()
        #expect(!script.store.expired.isEmpty && script.store.expired.allSatisfy { $0 < 0 })
    }
}
