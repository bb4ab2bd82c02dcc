// A paused ticker ends with its label, and keeps nothing alive that its owner has released.

import LabelMotion
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) @MainActor struct PausedTickerTests {
    private let clock = ManualClock()
    private let record = Record()

    /// How a ticker comes to the point where it is paused.
    enum Way: CaseIterable {
        case atOnce, onItsWay, delayed, atItsEnd, retargeted, repeatedCall, progress, spring, endless
    }

    /// Starts a motion of a label, and takes it there.
    private func ticker(_ way: Way, of label: Label) async throws -> Ticker? {
        let conclude = { @MainActor [record] in record.conclude($0) }
        let options: [Ticker.Option] =
            switch way {
            case .delayed: [.delay(3_600)]
            case .atItsEnd: [.endDelay(3_600)]
            case .spring: [.spring(try Spring(dampingRatio: 1, response: 5))]
            case .endless: [.repeating(.infinity, autoreverse: true)]
            case .progress: [.progress(of: 100)]
            default: []
            }
        var ticker = Ticker.animate(label, to: 100, options: options, on: clock, completion: conclude)
        if way == .atOnce { return ticker }
        await clock.waitForSleepers(1)
        await clock.advance(by: way == .atItsEnd ? 3 : 0.5)
        if way == .retargeted { ticker = ticker?.animate(to: 200, completion: conclude) }
        if way == .repeatedCall {
            ticker = Ticker.animate(label, to: 100, options: options, on: clock, completion: conclude)
        }
        return ticker
    }

    @Test(arguments: Way.allCases)
    func `a paused ticker ends when its label is gone`(way: Way) async throws {
        var label: Label? = Label("0")
        let ticker = try await ticker(way, of: #require(label))
        ticker?.pause()
        await clock.waitForSleepers(1)
        await clock.advance(by: 60)
        #expect(ticker?.state == .paused)
        let before = record.conclusions.count
        async let outcome = ticker?.outcome
        label = nil
        await clock.advance(by: 1)
        #expect(ticker?.state == .over(.labelGone))
        let expected = way == .repeatedCall ? [false, false] : [false]
        #expect(record.conclusions.dropFirst(before).elementsEqual(expected))
        #expect(await outcome == .labelGone)
        ticker?.resume()
        #expect(ticker?.state == .over(.labelGone))
    }

    @Test(arguments: Way.allCases)
    func `a running ticker ends when its label is gone`(way: Way) async throws {
        var label: Label? = Label("0")
        let ticker = try await ticker(way, of: #require(label))
        await clock.waitForSleepers(1)
        label = nil
        await clock.advance(by: 1)
        #expect(ticker?.state == .over(.labelGone) && record.conclusions.last == false)
    }

    @Test func `a paused ticker ends when other code sets the label's text`() async throws {
        let label = Label("0")
        let ticker = try await ticker(.onItsWay, of: label)
        ticker?.pause()
        label.text = "mine"
        await clock.advance(by: 1)
        #expect(ticker?.state == .over(.overwritten) && label.text == "mine" && record.conclusions == [false])
    }

    /// A label, and a motion of it that tells its screen when it is over.
    @MainActor private final class Screen {
        let label = Label("0")
        private let record: Record

        init(_ record: Record) { self.record = record }

        func count(on clock: ManualClock) -> Ticker? {
            Ticker.animate(label, to: 100, duration: 1, on: clock) { self.record.conclude($0) }
        }
    }

    @Test(arguments: [false, true])
    func `a paused ticker that nobody keeps ends and releases the screen in its completion`(isMoving: Bool) async {
        var screen: Screen? = Screen(record)
        weak let (shown, label) = (screen, screen?.label)
        weak var known: Ticker?
        do {
            let ticker = screen?.count(on: clock)
            known = ticker
            if isMoving {
                await clock.waitForSleepers(1)
                await clock.advance(by: 0.5)
            }
            ticker?.pause()
            screen = nil
            // Who keeps the ticker keeps what its completion needs: it may be resumed.
            #expect(shown != nil && record.conclusions.isEmpty && ticker?.state == .paused)
        }
        #expect(shown == nil && label == nil && known == nil)
        #expect(record.conclusions == [false])
    }

    @Test func `a running ticker that nobody keeps reaches its end and releases the screen in its completion`() async {
        var screen: Screen? = Screen(record)
        weak let (shown, label) = (screen, screen?.label)
        weak let known = screen?.count(on: clock)
        screen = nil
        await clock.waitForSleepers(1)
        #expect(known != nil && label != nil)
        await clock.advance(by: 1)
        #expect(shown == nil && label == nil && known == nil && record.conclusions == [true])
    }

    @Test func `a resumed ticker that nobody keeps reaches its end`() async throws {
        let label = Label("0")
        do {
            let ticker = try await ticker(.onItsWay, of: label)
            ticker?.pause()
            await clock.advance(by: 7)
            ticker?.resume()
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1.5)
        #expect(label.text == "100" && record.conclusions == [true])
    }

    @Test func `a label is animated on after its paused ticker was released`() async throws {
        let label = Label("0")
        do { try await ticker(.onItsWay, of: label)?.pause() }
        #expect(record.conclusions == [false] && label.text == "25")
        Ticker.animate(label, to: 100, duration: 1, on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(label.text == "100" && record.conclusions == [false, true])
    }

    @Test func `a paused ticker on a clock that skips sleep lets other work go on`() async {
        let label = Label("0")
        let ticker = Ticker.animate(label, to: 100, on: ManualClock(skipsSleep: true))
        ticker?.pause()
        for _ in 0..<100 { await Task.yield() }
        #expect(ticker?.state == .paused)
        ticker?.resume()
        #expect(await ticker?.outcome == .finished)
    }
}
