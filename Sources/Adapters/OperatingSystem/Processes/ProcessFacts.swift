// What the system knows of this process.

import Base
import CLinux
import Glibc

/// What a process has used, and what it may.
package struct ProcessFacts: Sendable {
    /// Of the program and of the system for it.
    package var processorSeconds = 0.0
    package var residentBytes: Int64 = 0
    package var virtualBytes: Int64 = 0
    package var threads = 0
    package var openDescriptors: Int64 = 0
    package var maximumDescriptors: Int64 = 0
    /// Unix seconds.
    package var startTime = 0.0

    /// As it is now; what can't be found out is 0. It takes some calls of the system, so not on a thread that others wait for.
    package static func current() -> ProcessFacts {
        var facts = ProcessFacts()
        facts.processorSeconds = tweencast_processor_seconds()
        facts.openDescriptors = tweencast_descriptor_count()
        facts.maximumDescriptors = tweencast_descriptor_limit()
        facts.readMemory()
        facts.readStatus()
        return facts
    }

    /// Names the machine's run since it was started; empty where that can't be found out.
    package static func machineRun() -> String {
        text(of: "/proc/sys/kernel/random/boot_id").filter { $0.isHexDigit || $0 == "-" }
    }

    private mutating func readMemory() {
        let pages = Self.text(of: "/proc/self/statm").split(separator: " ").map { Int64($0) ?? 0 }
        guard pages.count > 1 else { return }
        let page = Int64(sysconf(Int32(_SC_PAGESIZE)))
        virtualBytes = pages[0].multipliedSaturated(by: page)
        residentBytes = pages[1].multipliedSaturated(by: page)
    }

    private mutating func readStatus() {
        // The name of the program, in brackets, may hold anything; what follows it is numbers, the third field first.
        let text = Self.text(of: "/proc/self/stat")
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19 else { return }
        threads = Int(fields[17]) ?? 0
        let sinceBoot = (Double(fields[19]) ?? 0) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let boot = Self.text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        startTime = (boot.flatMap { Double($0.dropFirst("btime ".count)) } ?? 0) + sinceBoot
    }

    /// The beginning of a file that the system makes up; nothing where there is none.
    private static func text(of path: String) -> String {
        guard let file = Descriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC)) else { return "" }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while text.count < 1 << 20 {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read(file.number, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            text += piece.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
