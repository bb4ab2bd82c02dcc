// An epoll set with an eventfd, on which a stream loop waits.

import Base
import CLinux
import Glibc
import OperatingSystem

/// Readiness of sockets by slot, and a signal from other threads.
@safe final class EventPoll: @unchecked Sendable {
    // @unchecked because: `signal` only writes to a descriptor; everything else belongs to the loop's thread.
    struct Event {
        var slot: UInt32
        var generation: UInt32
        var isReadable: Bool
        var isWritable: Bool
        var isHangup: Bool
    }

    private static let capacity = 512
    private static let signalMark = UInt64.max
    private let set: Descriptor
    private let signalDescriptor: Descriptor
    private var raw = unsafe [epoll_event](repeating: epoll_event(), count: capacity)
    private(set) var events: [Event] = []
    private(set) var wasSignalled = false

    init() throws(TransportError) {
        guard let set = Descriptor(owning: tweencast_epoll_create()) else { throw .failed(code: errno) }
        guard let signalDescriptor = Descriptor(owning: tweencast_eventfd()) else { throw .failed(code: errno) }
        guard tweencast_epoll_add(set.number, signalDescriptor.number, Self.signalMark, 0) == 0
        else { throw .failed(code: errno) }
        self.set = set
        self.signalDescriptor = signalDescriptor
    }

    /// Edge-triggered, so that idle and slow sockets cost nothing.
    func add(_ descriptor: Int32, slot: UInt32, generation: UInt32) -> Bool {
        tweencast_epoll_add(set.number, descriptor, Self.mark(slot, generation), 1) == 0
    }

    /// Reports a descriptor's current readiness again.
    func rearm(_ descriptor: Int32, slot: UInt32, generation: UInt32) {
        _ = tweencast_epoll_rearm(set.number, descriptor, Self.mark(slot, generation))
    }

    private static func mark(_ slot: UInt32, _ generation: UInt32) -> UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    func remove(_ descriptor: Int32) {
        tweencast_epoll_remove(set.number, descriptor)
    }

    func signal() {
        tweencast_signal(signalDescriptor.number)
    }

    /// Waits for events, a signal or a deadline.
    func wait(until deadline: Int64, now: Int64) {
        events.removeAll(keepingCapacity: true)
        wasSignalled = false
        let count = unsafe epoll_wait(set.number, &raw, Int32(Self.capacity), Self.timeout(until: deadline, now: now))
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = unsafe raw[index]
            let mark = unsafe event.data.u64
            guard mark != Self.signalMark else {
                wasSignalled = true
                tweencast_clear(signalDescriptor.number)
                continue
            }
            let bits = unsafe event.events
            events.append(
                Event(
                    slot: UInt32(truncatingIfNeeded: mark), generation: UInt32(truncatingIfNeeded: mark >> 32),
                    isReadable: bits & UInt32(TWEENCAST_READABLE) != 0,
                    isWritable: bits & UInt32(TWEENCAST_WRITABLE) != 0,
                    isHangup: bits & UInt32(TWEENCAST_HANGUP) != 0))
        }
    }

    /// Milliseconds, rounded up so that the loop never wakes just before its deadline.
    private static func timeout(until deadline: Int64, now: Int64) -> Int32 {
        guard deadline != .max else { return -1 }
        return Int32(clamping: max(0, deadline.subtractingSaturated(now).addingSaturated(999_999) / 1_000_000))
    }
}
