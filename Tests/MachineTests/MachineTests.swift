// What follows from a turn, as values: no clock, no store, no socket.

import Base
import Board
import Labels
import TestSupport
import Testing
import Tween
import Wire

@testable import Machine

@Suite struct MachineTests {
    private var script = MachineScript()

    @Test mutating func `a turn's outcome holds changed resources, events and the answer to each request`() throws {
        let outcome = script.take([
            try MachineScript.update("a", #"{"to":5,"duration":0}"#, waiter: 7),
            try MachineScript.update("b", #"{"to":5,"duration":9}"#, waiter: 8),
            .deadLetter(id: "none", .retry, 9),
        ])
        #expect(outcome.taken == 3)
        #expect(outcome.changed.map(\.id) == ["a", "b"])
        #expect(outcome.told == ["1 complete"])
        #expect(outcome.statuses == [7: 201, 8: 201, 9: 404])
        #expect(outcome.counts.accepted == 2 && outcome.counts.completions == 1)
        let nothing = script.take([])
        #expect(nothing.changed.isEmpty && nothing.events.isEmpty && nothing.answers.isEmpty)
    }

    @Test mutating func `a webhook without room is noted and counted, and not retried before there is room`() throws {
        for number in 0..<Outbox.maximumPending / 2 {
            let delivery = Delivery(
                id: "\(number)", url: "http://a.example/", body: [], by: ResourceName(.ticker, "a"), created: script.now
            )
            let refused = script.machine.outbox.add(delivery)
            #expect(refused == nil)
        }
        let call = #"{"to":5,"duration":0,"then":[{"webhook":"http://a.example/"}]}"#
        var outcomes = [script.take([try MachineScript.update("a", call)])]
        script.wait(1)
        outcomes.append(script.take([]))
        let refused = try #require(script.machine.outbox.dead(after: nil, limit: 9).first)
        #expect(outcomes.reduce(0) { $0 + $1.counts.refusedDeliveries } == 1)
        #expect(outcomes.flatMap(\.notes) == [.webhookGivenUp(refused)])
        let retried = script.take([.deadLetter(id: refused.id, .retry, 1)])
        #expect(retried.statuses == [1: 503] && retried.deliveries.isEmpty && retried.unstored.isEmpty)
        let discarded = script.take([.deadLetter(id: refused.id, .discard, 1)])
        #expect(discarded.statuses == [1: 204])
    }

    @Test mutating func `a motion that has arrived is complete, although the update after it is rejected`() throws {
        let call = #"{"to":5,"duration":0,"then":[{"ticker":"t","by":1,"duration":0}]}"#
        let first = script.take([try MachineScript.update("m", call)])
        #expect(first.told == ["1 complete"])
        let update = #"{"to":9,"easing":"bounce","clamp":"never-decrease"}"#
        let second = script.take([try MachineScript.update("t", update, waiter: 5)])
        #expect(second.told == ["2 complete"] && second.statuses == [5: 422])
        var reasons: [CompletionReason] = []
        for case .one(.complete(_, let ending, _)) in second.events.map(\.content) { reasons.append(ending.reason) }
        #expect(reasons == [.finished])
    }

    @Test mutating func `a delayed spring continuing a motion reads back from its record with the same end`() throws {
        script.take([try MachineScript.update("a", #"{"from":0,"to":10,"duration":2,"easing":"linear"}"#)])
        script.wait(1)
        let spring = #"{"to":5,"duration":1,"delay":5,"spring":{"dampingRatio":0.5}}"#
        script.take([try MachineScript.update("a", spring)])
        let track = try #require(script.machine.engine.track(ResourceName(.ticker, "a")))
        let kept = try TrackRecord.track(
            track.name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
        #expect(track.due != nil && kept.due == track.due)
    }

    @Test mutating func `numbers of events go on from turn to turn`() throws {
        let first = script.take([try MachineScript.update("a", #"{"to":5,"duration":1}"#)])
        script.wait(2)
        let second = script.take([])
        let third = script.take([.command(CommandRequest(.remove(ResourceName(.ticker, "a")), as: .noContent))])
        #expect(first.told.isEmpty && second.told == ["1 complete"] && third.told == ["2 removed"])
        #expect(script.machine.lastEvent == 2)
    }

    @Test mutating func `an answer shows its own request, whatever follows in the same turn`() throws {
        let outcome = script.take([
            try MachineScript.update("a", #"{"label":"1","to":5,"duration":9}"#, waiter: 1),
            try MachineScript.update("a", #"{"label":"2","to":6,"duration":9}"#, waiter: 2),
        ])
        let bodies = outcome.answers.map { String(decoding: $0.answer.body(), as: UTF8.self) }
        #expect(bodies[0].contains(#""revision":"1""#) && bodies[1].contains(#""revision":"2""#))
        #expect(outcome.changed.count == 1, "a resource is stored once, however often it changed")
        let headers = outcome.answers.map { Dictionary($0.answer.headers) { first, _ in first } }
        #expect(headers[0]["ETag"] == "\"1\"" && headers[0]["Location"] == "/v1/tickers/a")
        #expect(headers[1]["ETag"] == "\"2\"" && headers[1]["Location"] == nil)
    }

    @Test mutating func `the time of an outage of all replicas does not lower a progress's rate`() throws {
        func send(_ current: Int) throws -> Request {
            try MachineScript.update("p", #"{"current":\#(current),"duration":0}"#, of: .progress)
        }
        for step in 0...25 {
            script.take([try send(step)])
            script.wait(0.2)
        }
        script.wait(8)
        script.take([.outageEnded])
        for step in 0...5 {
            let track = try #require(script.machine.engine.track(ResourceName(.progress, "p")))
            let pace = track.pace(at: script.now)
            #expect(pace.state == .running && abs((pace.rate ?? 0) - 5) < 0.01)
            script.take([try send(26 + step)])
            script.wait(0.2)
        }
        // It is the same on whoever begins with a snapshot.
        let track = try #require(script.machine.engine.track(ResourceName(.progress, "p")))
        let kept = try TrackRecord.track(
            track.name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
        #expect(kept.pace == track.pace)
    }

    @Test mutating func `a turn takes a limited number of commands and leaves the rest to the next`() throws {
        let requests = try (0..<100).map { try MachineScript.update("t\($0)", #"{"to":1,"duration":9}"#) }
        let outcome = script.take(requests)
        #expect(outcome.taken == Machine.commandsPerTurn)
        #expect(script.take(Array(requests.dropFirst(outcome.taken))).taken == 100 - Machine.commandsPerTurn)
    }

    @Test mutating func `a turn ends early when its events are long`() throws {
        let data = String(repeating: "x", count: 30_000)
        let json = #"{"to":1,"duration":0,"then":[{"notify":"n","data":"\#(data)"}]}"#
        let outcome = script.take(try (0..<60).map { try MachineScript.update("t\($0)", json) })
        #expect((5...12).contains(outcome.taken))
    }

    @Test mutating func `without a working store nothing falls due`() throws {
        script.take([try MachineScript.update("a", #"{"to":5,"duration":1}"#)])
        script.wait(2)
        var turn = script.turn()
        turn.advances = false
        #expect(script.machine.apply(turn).events.isEmpty)
        #expect(script.take([]).told == ["1 complete"])
    }

    @Test mutating func `milestones are passed at ticks only`() throws {
        script.take([try MachineScript.update("a", #"{"from":0,"to":10,"duration":10,"milestones":[5]}"#)])
        script.wait(6)
        #expect(script.take([]).events.isEmpty)
        #expect(script.machine.wantsTick)
        let outcome = script.take([], isTick: true)
        #expect(outcome.told == ["1 milestone"])
        #expect(outcome.passed.map(\.id) == ["a"] && outcome.changed.isEmpty, "it is stored, and not shown anew")
        #expect(script.take([], isTick: true).passed.isEmpty)
    }

    @Test mutating func `without a working store no milestone is passed`() throws {
        script.take([try MachineScript.update("a", #"{"from":0,"to":10,"duration":10,"milestones":[5]}"#)])
        script.wait(6)
        var turn = script.turn()
        (turn.advances, turn.isTick) = (false, true)
        #expect(script.machine.apply(turn).events.isEmpty)
        #expect(script.take([], isTick: true).told == ["1 milestone"])
    }

    @Test mutating func `a milestone already sent is not sent again after a rollback to the store`() throws {
        let name = ResourceName(.ticker, "a")
        script.take([try MachineScript.update("a", #"{"from":0,"to":10,"duration":10,"milestones":[3,5]}"#)])
        var kept = Machine.Kept()
        kept.resources = [(name, script.machine.engine.track(name).map { .track($0) })]
        script.wait(4)
        #expect(script.take([], isTick: true).told == ["1 milestone"])
        let outcome = script.machine.goBack(to: kept, at: script.now)
        #expect(outcome.restored == [name] && outcome.passed == [name])
        #expect(script.take([], isTick: true).told.isEmpty)
        script.wait(2)
        #expect(script.take([], isTick: true).told == ["2 milestone"])
    }

    @Test mutating func `many completions before a frame are sent with the tick as one group`() throws {
        let update = try MachineScript.update("a", #"{"by":1,"duration":0}"#, waiter: nil)
        let outcome = script.take(Array(repeating: update, count: 40))
        #expect(outcome.events.count == CompletionGroups.individual && outcome.counts.completions == 40)
        #expect(script.machine.wantsTick)
        #expect(script.take([], isTick: true).told == ["17 crowd of 24"])
        #expect(!script.machine.wantsTick)
    }

    @Test mutating func `completions of different ticks are single events, even without a tick between them`()
        throws
    {
        let update = try MachineScript.update("a", #"{"by":1,"duration":0}"#, waiter: nil)
        for _ in 0..<(2 * CompletionGroups.individual) {
            script.wait(1)
            #expect(script.take([update]).events.count == 1)
        }
        #expect(!script.machine.wantsTick)
    }

    @Test mutating func `an event of a watched ticker carries the ticker's state at that moment`() throws {
        script.take([try MachineScript.update("a", #"{"label":"A 0","to":5,"duration":9}"#)])
        let slot = try #require(script.machine.engine.slot(of: ResourceName(.ticker, "a")))
        script.machine.setWatched(true, slot: slot, at: script.now)
        let outcome = script.take([
            .command(CommandRequest(.play(ResourceName(.ticker, "a"), .finish), as: .noContent)),
            try MachineScript.update("a", #"{"label":"B 0","to":5,"duration":9}"#),
        ])
        let event = try #require(outcome.events.first)
        #expect(event.track?.revision == 2)
        #expect(script.machine.engine.track(ResourceName(.ticker, "a"))?.revision == 3)
    }

    // MARK: - Retries

    @Test mutating func `a retry gets the stored answer with Idempotency-Replayed`() throws {
        let request = try MachineScript.update("a", #"{"to":5,"duration":9}"#, key: "k")
        let first = script.take([request])
        let second = script.take([request])
        let answers = (first.answers + second.answers).map(\.answer)
        #expect(first.retries.count == 1 && second.retries.isEmpty && second.changed.isEmpty)
        #expect(answers[0].status == answers[1].status)
        #expect(answers[0].body() == answers[1].body())
        let replayed = answers[1].headers.map { "\($0.name): \($0.value)" }
        #expect(replayed == answers[0].headers.map { "\($0.name): \($0.value)" } + ["Idempotency-Replayed: true"])
    }

    @Test mutating func `a request whose answer can't be remembered gets 503 and changes nothing`() throws {
        script = MachineScript(retryKeys: 0)
        let outcome = script.take([try MachineScript.update("a", #"{"to":5}"#, waiter: 3, key: "k")])
        #expect(outcome.statuses == [3: 503] && outcome.changed.isEmpty)
        #expect(outcome.notes == [.noRoomForRetry(client: "", seconds: 1)])
    }

    @Test mutating func `a stream given as an answer begins before its request's events`() throws {
        script.take([try MachineScript.update("x", #"{"to":5,"duration":0}"#)])
        let name = ResourceName(.ticker, "a")
        let update = try UpdateDecoder.update(
            Array(#"{"to":5,"duration":9}"#.utf8), kind: .ticker, role: .update)
        var command = CommandRequest(.update(name, update), showing: name, as: .stream)
        command.waiter = 4
        command.retry = RetryKey(key: "k", fingerprint: 1)
        for isAgain in [false, true] {
            let outcome = script.take([.command(command)])
            guard case .stream(let start)? = outcome.answers.first?.answer else {
                Issue.record("no stream")
                return
            }
            #expect(start.name == name && start.after == EventID(epoch: "e", number: 1))
            #expect(start.isAgain == isAgain && (start.track == nil) == isAgain && start.goal == .motion(1))
        }
    }

    // MARK: - Batches

    @Test mutating func `a batch is executed in parts, and a bad line gets 400`() throws {
        let lines = MachineScript.lines((0..<100).map { #"{"ticker":"t\#($0)","to":1}"# } + ["nonsense"])
        var part = BatchPart(lines, retry: nil, waiter: 2)
        var bodies = ""
        for (index, count) in [64, 37].enumerated() {
            let outcome =
                index == 0 ? script.take([.batch(part)]) : script.take([], portions: [.batch(part)])
            guard case .worked(let work)? = outcome.batches.first?.result else {
                Issue.record("nothing was done")
                return
            }
            #expect(work.count == count && outcome.isPortion)
            part = BatchPart(lines, from: work.next, retry: nil, waiter: 2)
            bodies += String(decoding: work.body, as: UTF8.self)
        }
        let statuses = bodies.split(separator: "\n").map { $0.contains("201") ? 201 : 400 }
        #expect(statuses == Array(repeating: 201, count: 100) + [400])
    }

    @Test mutating func `a repeated batch that was cut off continues where it stopped`() throws {
        let lines = MachineScript.lines((0..<100).map { _ in #"{"ticker":"t","by":1,"duration":0}"# })
        let part = BatchPart(lines, retry: RetryKey(key: "k", fingerprint: 1), waiter: 2)
        script.take([.batch(part)])
        let outcome = script.take([.batch(part)])
        guard case .worked(let work)? = outcome.batches.first?.result else {
            Issue.record("nothing was done")
            return
        }
        #expect(work.kept == 64 && work.count == 36)
        #expect(script.machine.engine.track(ResourceName(.ticker, "t"))?.target.double == 100)
        let again = script.take([.batch(part)])
        guard case .answered(.again(let kept, _))? = again.batches.first?.result else {
            Issue.record("it was done again")
            return
        }
        #expect(kept.body == work.keptBody + work.body)
    }

    /// Of 100 lines that count one up, those from one on that a process has worked off at a time.
    private func part(from next: Int, lines: Int = 40) throws -> BatchPart {
        let all = MachineScript.lines((0..<100).map { _ in #"{"ticker":"t","by":1,"duration":0}"# })
        return BatchPart(
            all.dropFirst(next).prefix(lines), from: next, of: all.count,
            retry: RetryKey(key: "k", fingerprint: 1), waiter: 2)
    }

    @Test mutating func `two processes executing the same batch execute each line once`() throws {
        var (next, turns) = ([0, 0], 0)
        var answer: KeptAnswer?
        while answer == nil, turns < 20 {
            let outcome = script.take([.batch(try part(from: next[turns % 2]))])
            switch outcome.batches.first?.result {
            case .worked(let work): next[turns % 2] = work.next
            case .answered(.again(let kept, _)): answer = kept
            default: Issue.record("neither worked nor answered")
            }
            turns += 1
        }
        #expect(script.machine.engine.track(ResourceName(.ticker, "t"))?.target.double == 100)
        #expect(answer?.body.count { $0 == UInt8(ascii: "\n") } == 100)
    }

    @Test mutating func `a process behind in a batch is told how far the batch is`() throws {
        script.take([.batch(try part(from: 0))])
        script.take([.batch(try part(from: 40))])
        let outcome = script.take([.batch(try part(from: 0))])
        guard case .worked(let work)? = outcome.batches.first?.result else {
            Issue.record("it was answered")
            return
        }
        #expect(work.kept == 80 && work.count == 0 && work.next == 80 && outcome.changed.isEmpty)
    }

    // MARK: - Subscribers elsewhere

    @Test mutating func `a time to live counts from the last subscriber on any replica`() throws {
        script = MachineScript(sharesTurns: true)
        let name = ResourceName(.ticker, "t")
        script.take([try MachineScript.update("t", #"{"to":1,"duration":0,"ttl":5}"#)])
        script.machine.setWatched(true, slot: 0, at: script.now)
        #expect(script.machine.drainWatchChanges() == [name])
        script.take([.heard(name, true, on: "a"), .heard(name, true, on: "b")])
        script.wait(60)
        #expect(script.take([.heard(name, false, on: "a")]).changed.isEmpty)
        script.wait(60)
        #expect(script.take([.left("b")]).changed.isEmpty)
        script.wait(4.9)
        #expect(script.take([]).changed.isEmpty)
        script.wait(0.2)
        #expect(script.take([]).told == ["2 removed"])
        // One of its name begins anew.
        script.take([try MachineScript.update("t", #"{"to":1,"duration":0,"ttl":5}"#)])
        script.wait(6)
        #expect(script.take([]).told.last == "4 removed")
    }

    // MARK: - Webhooks

    @Test mutating func `a webhook is kept until it is delivered`() throws {
        let json = #"{"to":1,"duration":0,"then":[{"webhook":"https://a.example/x"}]}"#
        let first = script.take([try MachineScript.update("a", json)])
        #expect(first.unstored == ["wh-1"] && first.deliveries.map(\.id) == ["wh-1"])
        #expect(script.machine.outbox.delivery("wh-1")?.url == "https://a.example/x")
        let last = script.take([
            .webhookEnded(id: "wh-1", attempt: 1, .answered(status: 200, retryAfter: nil), jitter: 0)
        ])
        #expect(last.counts.delivered == 1 && last.deliveries.map(\.id) == ["wh-1"])
        #expect(last.deliveries.first?.delivery == nil)
    }

    // MARK: - Going back

    @Test mutating func `a change that could not be stored is rolled back, and its key is free again`() throws {
        script.take([try MachineScript.update("a", #"{"to":5,"duration":9}"#, key: "k")])
        var kept = Machine.Kept()
        kept.resources = [(ResourceName(.ticker, "a"), nil)]
        kept.lostAnswers = ["k"]
        let outcome = script.machine.goBack(to: kept, at: script.now)
        #expect(outcome.restored.map(\.id) == ["a"] && outcome.changed.isEmpty && outcome.told == ["1 removed"])
        let again = script.take([try MachineScript.update("a", #"{"to":5,"duration":9}"#, key: "k")])
        #expect(again.statuses == [1: 201])
    }

    @Test mutating func `a copy that is given the same turns gives the same outcomes`() throws {
        script.take([try MachineScript.update("a", #"{"to":5,"duration":1}"#)])
        var copy = script
        script.wait(2)
        copy.wait(2)
        #expect(script.take([]).told == copy.take([]).told)
        #expect(script.machine.lastEvent == copy.machine.lastEvent)
    }
}
