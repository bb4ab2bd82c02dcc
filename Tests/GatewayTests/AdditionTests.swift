// What a client may send that has the right to add and no other.

import Base
import Board
import EventStream
import Labels
import Testing
import Tween
import Wire

@testable import Gateway

@Suite struct AdditionTests {
    private static let name = ResourceName(.ticker, "readers")
    private static let other = ResourceName(.ticker, "others")

    /// A client that may add 1 to the number.
    private static func caller(publish: [TopicPattern] = [], subscribe: [TopicPattern] = []) throws -> Caller {
        let topic = TopicSelection(try #require(TopicPattern(kind: .ticker, parsing: name.id)))
        var rights = Rights(publish: TopicSelection(publish), subscribe: TopicSelection(subscribe))
        rights.add = [AddRight(topics: topic, atMost: ExactDecimal(1))]
        return Caller(Principal(name: "visitor", rights: rights), at: "")
    }

    private static let addition: TrackUpdate = {
        var update = TrackUpdate()
        update.goal = .by(ExactDecimal(1))
        return update
    }()

    private static let none = ActionList(actions: [], source: Array("[]".utf8))

    /// A change of each field of an update.
    private static let changes: [(field: String, change: @Sendable (inout TrackUpdate) -> Void)] = [
        ("goal", { $0.goal = .to(ExactDecimal(1)) }), ("from", { $0.from = .zero }), ("sequence", { $0.sequence = 9 }),
        ("label", { $0.label = "0" }), ("prefix", { $0.prefix = "" }), ("suffix", { $0.suffix = "" }),
        ("index", { $0.index = 0 }), ("decimals", { $0.decimals = 0 }), ("format", { $0.format = NumberFormat() }),
        ("length", { $0.length = .automatic }), ("delay", { $0.delay = 0 }),
        ("start", { $0.start = MotionAnchor(.after, Self.other) }), ("lead", { $0.lead = 0.001 }),
        ("endDelay", { $0.endDelay = 0 }), ("curve", { $0.curve = .easing(.linear) }), ("repeats", { $0.repeats = 0 }),
        ("repeatDelay", { $0.repeatDelay = 0 }), ("autoreverse", { $0.autoreverse = false }),
        ("direction", { $0.direction = .normal }), ("rate", { $0.rate = 1 }), ("clamp", { $0.clamp = .allow }),
        ("animated", { $0.animated = true }), ("interruption", { $0.interruption = .retarget }),
        ("milestones", { $0.milestones = [] }),
        ("milestoneActions", { $0.milestoneActions = MilestoneActions(entries: [], source: Self.none.source) }),
        ("timeToLive", { $0.timeToLive = 9 }), ("then", { $0.then = Self.none }),
        ("otherwise", { $0.otherwise = Self.none }),
        ("declinesActions", { $0.declinesActions = true }), ("maximum", { $0.maximum = .indeterminate }),
        ("initial", { $0.initial = .zero }), ("indeterminate", { $0.indeterminate = "" }),
        ("appearance", { $0.appearance = [] }),
    ]

    private static func status(_ update: TrackUpdate, of caller: Caller) -> Int {
        do throws(Problem) {
            try caller.checkChange(.update(name, update))
            return 202
        } catch {
            return error.status
        }
    }

    @Test func `a client that may only add is refused every other field of an update`() throws {
        let caller = try Self.caller()
        #expect(Self.status(Self.addition, of: caller) == 202)
        for (field, change) in Self.changes {
            var update = Self.addition
            change(&update)
            #expect(Self.status(update, of: caller) == 403, "\(field)")
        }
        // What a client sent is kept as its text, which changes nothing.
        let fields = Mirror(reflecting: TrackUpdate()).children.compactMap(\.label).filter { $0 != "source" }
        #expect(Set(Self.changes.map(\.field)) == Set(fields.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }))
    }

    private static func decoded(_ line: String, at index: Int, stagger: Double, _ caller: Caller) throws -> Command {
        let decoder = RequestDecoder(rules: NoCalendarRules(), bounds: StreamBounds()) { _ in "no host is allowed" }
        return try decoder.command(ofLine: Array(line.utf8)[...], at: index, stagger: stagger, caller)
    }

    @Test func `stagger is refused for a client that may only add, unless it may publish`() throws {
        let pattern = try #require(TopicPattern(kind: .ticker, parsing: "*"))
        let line = #"{"ticker":"readers","by":1}"#
        for publish in [[], [pattern]] {
            let caller = try Self.caller(publish: publish)
            for (index, stagger) in [(0, 0), (7, 0), (0, 31_536_000)] as [(Int, Double)] {
                _ = try Self.decoded(line, at: index, stagger: stagger, caller)
            }
            let staggered = Result { try Self.decoded(line, at: 1, stagger: 0.001, caller) }
            switch staggered {
            case .success: #expect(!publish.isEmpty)
            case .failure(let error):
                let problem = try #require(error as? Problem)
                #expect(publish.isEmpty && problem.status == 403 && problem.pointer == "?stagger", "\(problem)")
            }
        }
    }

    @Test func `a client that may also read or publish does not count as one that may only add`() throws {
        let pattern = try #require(TopicPattern(kind: .ticker, parsing: "read*"))
        #expect(try Self.caller().mayOnlyAdd(to: Self.name))
        #expect(try !Self.caller(publish: [pattern]).mayOnlyAdd(to: Self.name))
        #expect(try !Self.caller(subscribe: [pattern]).mayOnlyAdd(to: Self.name))
        #expect(!Caller(.anybody, at: "").mayOnlyAdd(to: Self.name))
    }
}
