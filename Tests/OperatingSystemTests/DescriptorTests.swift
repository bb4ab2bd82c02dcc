// Who closes a descriptor, and when: a pipe tells by its other end.

import Glibc
import OperatingSystem
import Testing

@Suite struct DescriptorTests {
    /// A pipe of which a test takes the end that is written to.
    private final class Pipe {
        private let reader: Descriptor
        private var writer: Descriptor?

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(unsafe Glibc.pipe(&ends) == 0)
            guard let reader = Descriptor(owning: ends[0]) else { throw CancellationError() }
            self.reader = reader
            writer = Descriptor(owning: ends[1])
        }

        func takeWriter() throws -> Descriptor {
            guard let taken = writer.take() else { throw CancellationError() }
            return taken
        }

        /// Whether nobody has the other end any more.
        var hasEnded: Bool {
            var wait = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLHUP) != 0
        }
    }

    private let pipe: Pipe

    init() throws { pipe = try Pipe() }

    @Test func `a negative number gives no descriptor`() {
        let isNone = Descriptor(owning: -1) == nil
        #expect(isNone)
    }

    @Test func `a descriptor is closed when its owner is released`() throws {
        var owner: Descriptor? = try pipe.takeWriter()
        #expect(!pipe.hasEnded)
        owner = nil
        #expect(pipe.hasEnded)
        _ = consume owner
    }

    @Test func `a descriptor stays open to the end of its scope, though only its number is used`() throws {
        do {
            let owner = try pipe.takeWriter()
            let number = owner.number
            #expect(fcntl(number, F_GETFD) >= 0 && !pipe.hasEnded)
        }
        #expect(pipe.hasEnded)
    }

    @Test func `a released descriptor stays open`() throws {
        let number = try pipe.takeWriter().release()
        #expect(!pipe.hasEnded)
        let again = Descriptor(owning: number)
        #expect(!pipe.hasEnded)
        _ = consume again
        #expect(pipe.hasEnded)
    }

    @Test func `a duplicated descriptor is a new one with close-on-exec`() throws {
        do {
            guard let duplicate = try pipe.takeWriter().duplicate(from: 100) else { throw CancellationError() }
            let number = duplicate.number
            #expect(number >= 100 && fcntl(number, F_GETFD) == FD_CLOEXEC && !pipe.hasEnded)
        }
        #expect(pipe.hasEnded)
    }

    @Test func `a descriptor box gives its descriptor to the first taker only`() throws {
        let box = DescriptorBox(try pipe.takeWriter())
        let first = box.take()
        let second = box.take()
        let (isFirst, isSecond) = (first != nil, second != nil)
        #expect(isFirst && !isSecond && !pipe.hasEnded)
        _ = consume first
        #expect(pipe.hasEnded)
    }

    @Test func `an untaken descriptor closes with its box, a shared one with its last holder`() throws {
        var boxes: [DescriptorBox] = [DescriptorBox(try pipe.takeWriter())]
        #expect(!pipe.hasEnded)
        boxes = []
        #expect(pipe.hasEnded)
        let other = try Pipe()
        var holders = Array(repeating: SharedDescriptor(try other.takeWriter()), count: 2)
        holders.removeLast()
        #expect(!other.hasEnded)
        holders.removeLast()
        #expect(other.hasEnded && boxes.isEmpty)
    }
}
