// A folder of a test's own, gone with its owner.

import FoundationEssentials

/// A fresh folder under the system's temporary folder; removed with everything in it when the value goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tweencast-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no temporary folder can be made: \(error)")
        }
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
