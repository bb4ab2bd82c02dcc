// What a supervisor hears: nothing of a server that hangs.

import Foundation
import Glibc
import OperatingSystem
import Synchronization
import TestSupport
import Testing

/// In turn, since whom a process tells is part of its environment.
@Suite(.serialized) struct WatchdogTests {
    private let folder = TemporaryFolder()

    /// A socket as a supervisor has one, that the environment names.
    private func listen() throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.path + "/notify"
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let code = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0)
        unsafe setenv("NOTIFY_SOCKET", path, 1)
        return descriptor
    }

    /// What is heard next; nil where nothing comes in a while.
    private func hear(_ descriptor: Int32, within milliseconds: Int32) -> String? {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, milliseconds) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func `the supervisor gets watchdog messages only while the server is well`() throws {
        let descriptor = try listen()
        defer {
            unsafe unsetenv("NOTIFY_SOCKET")
            close(descriptor)
        }
        let isWell = Atomic(true)
        let asked = Atomic(0)
        let watchdog = Watchdog(supervisorInterval: 0.02) {
            asked.wrappingAdd(1, ordering: .relaxed)
            return isWell.load(ordering: .relaxed)
        }
        #expect(watchdog.start())
        for _ in 0..<3 { #expect(hear(descriptor, within: 30_000) == "WATCHDOG=1") }
        isWell.store(false, ordering: .relaxed)
        // It is asked on, and what it told before has been heard.
        let before = asked.load(ordering: .relaxed)
        try eventually("it is asked") { asked.load(ordering: .relaxed) > before + 3 }
        while hear(descriptor, within: 0) != nil {}
        try eventually("it is asked again") { asked.load(ordering: .relaxed) > before + 9 }
        #expect(hear(descriptor, within: 0) == nil)
        watchdog.stop()
    }

    @Test func `the supervisor gets its first watchdog message at once`() throws {
        let descriptor = try listen()
        defer {
            unsafe unsetenv("NOTIFY_SOCKET")
            close(descriptor)
        }
        let watchdog = Watchdog(supervisorInterval: 3_600) { true }
        #expect(watchdog.start())
        #expect(hear(descriptor, within: 30_000) == "WATCHDOG=1")
        watchdog.stop()
    }

    @Test func `without a supervisor there is no watchdog interval, listener or message`() throws {
        #expect(Supervisor.watchdogInterval == nil)
        #expect(try Supervisor.inheritListener() == nil)
        Supervisor.notify("READY=1")
        #expect(Handover.findPredecessor() == nil)
    }
}
