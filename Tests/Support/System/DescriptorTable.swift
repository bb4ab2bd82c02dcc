// The kernel's table of a process's descriptors.

import Foundation
import Testing

/// The number of descriptors that a process can open before the kernel has to make the table larger.
package func descriptorTable(of process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("FDSize:") })
    return try #require(Int(line.split(separator: "\t")[1]))
}
