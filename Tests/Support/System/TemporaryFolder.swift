// A temporary folder for a test, removed with its owner.

import FoundationEssentials

/// A new folder in the system's temporary folder; removed with its contents when the object is deallocated.
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
