// Work beside its owner: its result, its failure, and its end.

import OperatingSystem
import Testing

@Suite struct BackgroundResultTests {
    private struct Refused: Error {}

    @Test func `background work runs beside its owner, who waits for the result`() {
        let owner = Mailbox<Int>(capacity: 1)
        let work = BackgroundResult<[Int], Never>(name: "work") {
            var taken: [Int] = []
            _ = owner.receive(into: &taken, until: nil)
            return .success(taken)
        }
        _ = owner.post(42)
        #expect(work.get() == [42])
        #expect(work.get() == [42])
    }

    @Test func `an error of background work is thrown to whoever gets the result`() {
        let work = BackgroundResult<Void, Refused>(name: "work") { .failure(Refused()) }
        #expect(throws: Refused.self) { try work.get() }
    }

    @Test func `releasing unfinished background work waits for its end`() {
        let ends = Mailbox<Bool>(capacity: 1)
        _ = BackgroundResult<Void, Never>(name: "work") {
            _ = ends.post(true)
            return .success(())
        }
        #expect(ends.receiveFirst() == true)
    }
}
