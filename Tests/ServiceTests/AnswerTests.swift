// An answer goes out when what it rests on is kept, and not before.

import HTTPTransport
import Persistence
import Storage
import TestSupport
import Testing
import Tween

@testable import TweencastService

@Suite struct AnswerTests {
    private let full = StoreError(.full, "no room")

    @Test func `a retry of a request whose commit is under way waits for that commit`() throws {
        let script = NodeScript()
        let first = try script.post("a", #"{"to":1}"#, key: "k")
        let retry = try script.post("a", #"{"to":1}"#, key: "k")
        #expect(first.status == nil && retry.status == nil)
        script.store.settle(1)
        #expect(first.status == 202 && retry.status == nil)
        script.store.settle()
        #expect(retry.status == 202)
        #expect(retry.answer?.body == first.answer?.body)
        #expect(retry.header("ETag") == first.header("ETag") && first.header("ETag") != nil)
        #expect(retry.header("Location") == first.header("Location") && first.header("Location") != nil)
    }

    @Test func `a retry is refused like its first attempt when their commit fails`() throws {
        let script = NodeScript()
        let first = try script.post("a", #"{"by":1}"#, key: "k")
        let retry = try script.post("a", #"{"by":1}"#, key: "k")
        script.store.settle(failing: full)
        #expect(first.status == 507 && retry.status == 507)
        script.takePosted()
        script.store.finishRecovery()
        script.takePosted()
        #expect(script.target("a") == nil)
        script.store.settle()
        script.takePosted()
        let again = try script.post("a", #"{"by":1}"#, key: "k")
        script.store.settle()
        #expect(again.status == 202 && script.target("a") == 1)
    }

    @Test(arguments: [(#"{"to":5,"duration":9}"#, nil), (#"{"to":6}"#, UInt64(99))] as [(String, UInt64?)])
    func `an answer to a no-op or a failed condition waits for the commit it depends on`(
        json: String, revision: UInt64?
    ) throws {
        let script = NodeScript()
        let first = try script.post("a", #"{"to":5,"duration":9}"#)
        let second = try script.post("a", json, expecting: revision)
        #expect(first.status == nil && second.status == nil)
        script.store.settle()
        #expect(first.status == 202 && second.status == (revision == nil ? 202 : 412))
        let third = try script.post("a", json, expecting: revision)
        #expect(third.status == second.status, "nothing is under way: there is nothing to wait for")
    }

    @Test func `no request is acknowledged between a commit's failure and the node's learning of it`() throws {
        let script = NodeScript()
        let first = try script.post("a", #"{"to":5,"duration":9}"#)
        script.store.settle(failing: full)
        // The store's message that it failed has not been taken yet.
        let same = try script.post("a", #"{"to":5,"duration":9}"#)
        #expect(first.status == 507 && same.status == nil)
        script.store.settle()
        #expect(same.status == 507)
        script.takePosted()
        let refused = try script.post("a", #"{"to":5,"duration":9}"#)
        #expect(refused.status == 507)
        script.store.finishRecovery()
        script.takePosted()
        script.store.settle()
        script.takePosted()
        let taken = try script.post("a", #"{"to":5,"duration":9}"#)
        #expect(taken.status == nil)
        script.store.settle()
        let known = try script.post("a", #"{"to":5,"duration":9}"#)
        #expect(taken.status == 202 && known.status == 202)
    }

    @Test func `with too many bytes of commits in flight changes get 503 and nothing falls due`() throws {
        let script = NodeScript()
        _ = try script.post("soon", #"{"to":1,"duration":1}"#)
        script.store.settle()
        let size = CommitsInFlight.maximumBytes
        script.node.commits.commits.begin(size)
        let refused = try script.post("a", #"{"to":1}"#)
        #expect(refused.status == 503 && refused.header("Retry-After") == "1")
        script.now = script.now.advanced(bySeconds: 2)
        script.turn()
        #expect(script.node.core.statistics.completions == 0)
        script.node.commits.commits.end(size, .success(()))
        script.turn()
        #expect(script.node.core.statistics.completions == 1)
    }
}
