// Resource figures of this process.

import Base
import CLinux
import Glibc

/// The resources that a process has used, and its limits.
package struct ProcessFacts: Sendable {
    /// User and system time together.
    package var processorSeconds = 0.0
    package var residentBytes: Int64 = 0
    package var virtualBytes: Int64 = 0
    package var threads = 0
    package var openDescriptors: Int64 = 0
    package var maximumDescriptors: Int64 = 0
    /// Unix seconds.
    package var startTime = 0.0

    /// Reads the current figures; unknown ones are 0. Makes several system calls, so don't call it on a latency-critical
    /// thread.
    package static func current() -> ProcessFacts {
        var facts = ProcessFacts()
        facts.processorSeconds = tweencast_processor_seconds()
        facts.openDescriptors = tweencast_descriptor_count()
        facts.maximumDescriptors = tweencast_descriptor_limit()
        facts.readMemory()
        facts.readStatus()
        return facts
    }

    /// Returns the machine's boot ID; empty if it is unknown.
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
        // The program's name, in parentheses, may contain any character. The fields after it are plain; the first one is
        // field 3.
        let text = Self.text(of: "/proc/self/stat")
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19 else { return }
        threads = Int(fields[17]) ?? 0
        let sinceBoot = (Double(fields[19]) ?? 0) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let boot = Self.text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        startTime = (boot.flatMap { Double($0.dropFirst("btime ".count)) } ?? 0) + sinceBoot
    }

    /// Returns the text of a file in `/proc`; empty if it can't be read.
    private static func text(of path: String) -> String {
        String(decoding: (try? FileBytes.read(path, limit: 16 << 20)) ?? [], as: UTF8.self)
    }
}
