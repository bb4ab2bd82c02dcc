// The audit file after a crash: a line that was cut stays a line of its own.

import Foundation
import TestSupport
import Testing

@testable import TweencastService

@Suite struct AuditLogTests {
    @Test(arguments: [("", "a\n"), ("whole\n", "whole\na\n"), ("cut", "cut\na\n")])
    func `an audit log whose last line was cut by a crash continues on a new line`(before: String, after: String) throws
    {
        let folder = TemporaryFolder()
        let path = folder.path + "/audit.log"
        try Data(before.utf8).write(to: URL(filePath: path))
        let log = AuditLog(path: path)
        #expect(log.start() == nil)
        log.write(Array("a\n".utf8), isRefusal: false)
        log.stop()
        #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == after)
    }
}
