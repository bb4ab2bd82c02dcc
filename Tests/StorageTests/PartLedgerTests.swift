// What a record's parts cost to write.

import Storage
import Testing

@testable import StorageSQLite

@Suite struct PartLedgerTests {
    private let name = RecordName(.ticker, "a")

    private func sorted(_ difference: StoredPartsIndex.Difference) -> StoredPartsIndex.Difference {
        StoredPartsIndex.Difference(written: difference.written.sorted(), gone: difference.gone.sorted())
    }

    @Test func `a part is written once, and again only when it changes`() {
        var ledger = StoredPartsIndex()
        #expect(sorted(ledger.set([1: [1], 2: [2]], of: name)) == .init(written: [1, 2]))
        ledger.commit()
        #expect(ledger.set([1: [1], 2: [2]], of: name) == .init())
        #expect(sorted(ledger.set([2: [9], 3: [3]], of: name)) == .init(written: [2, 3], gone: [1]))
        #expect(ledger.set([:], of: RecordName(.ticker, "b")) == .init())
        #expect(sorted(ledger.set([:], of: name)) == .init(gone: [2, 3]))
        #expect(ledger.parts(of: name).isEmpty)
    }

    @Test func `a rollback leaves the index of parts unchanged`() {
        var ledger = StoredPartsIndex()
        _ = ledger.set([1: [1]], of: name)
        ledger.commit()
        _ = ledger.set([2: [2]], of: name)
        _ = ledger.set([:], of: name)
        _ = ledger.set([5: [5]], of: RecordName(.ticker, "b"))
        ledger.rollBack()
        #expect(ledger.parts(of: name) == [1: [1]])
        #expect(ledger.parts(of: RecordName(.ticker, "b")).isEmpty)
        #expect(ledger.set([1: [1]], of: name) == .init())
    }
}
