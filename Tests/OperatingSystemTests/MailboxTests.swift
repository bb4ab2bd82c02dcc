// The way into a thread: order, limits, and deadlines of every kind.

import OperatingSystem
import Testing

@Suite struct MailboxTests {
    private let mailbox = Mailbox<Int>(capacity: 8)

    @Test(arguments: [-1, .min, 0, 1])
    func `taking from an empty mailbox with a past deadline returns at once`(deadline: Int64) {
        var taken: [Int] = []
        #expect(mailbox.receive(into: &taken, until: deadline))
        #expect(taken.isEmpty)
        #expect(mailbox.post(1))
        #expect(mailbox.receive(into: &taken, until: deadline))
        #expect(taken == [1])
    }

    @Test(arguments: [-1, .min, .max, nil] as [Int64?])
    func `a thread that waits is woken by a message whatever its deadline`(deadline: Int64?) {
        let mailbox = mailbox
        let answers = Mailbox<Int>(capacity: 8)
        let thread = OwnedThread(name: "waiting") {
            var taken: [Int] = []
            while mailbox.receive(into: &taken, until: deadline) {
                for number in taken { _ = answers.post(number) }
            }
        }
        #expect(thread.start())
        for number in 1...3 {
            #expect(mailbox.post(number))
            #expect(answers.receiveFirst() == number)
        }
        mailbox.close()
        thread.join()
    }

    @Test func `messages are taken in their order, one by one and all at once`() {
        var expected = 0
        var posted = 0
        func post(_ count: Int) {
            for _ in 0..<count {
                #expect(mailbox.post(posted))
                posted += 1
            }
        }
        func takeFirst() {
            #expect(mailbox.receiveFirst() == expected)
            expected += 1
        }
        post(3)
        takeFirst()
        post(2)
        takeFirst()
        #expect(mailbox.count == 3)
        var taken: [Int] = []
        #expect(mailbox.receive(into: &taken, until: 0))
        #expect(taken == [2, 3, 4])
        #expect(mailbox.count == 0)
        expected = 5
        post(1)
        takeFirst()
    }

    @Test func `a full mailbox accepts urgent messages only, a closed one none`() {
        for number in 0..<8 { #expect(mailbox.post(number)) }
        #expect(mailbox.receiveFirst() == 0)
        #expect(mailbox.post(8))
        #expect(!mailbox.post(9))
        #expect(mailbox.post(10, urgent: true))
        mailbox.close()
        #expect(!mailbox.post(11, urgent: true))
        var taken: [Int] = []
        #expect(mailbox.receive(into: &taken, until: nil))
        #expect(taken == [1, 2, 3, 4, 5, 6, 7, 8, 10])
        #expect(!mailbox.receive(into: &taken, until: nil))
        #expect(mailbox.receiveFirst() == nil)
    }
}
