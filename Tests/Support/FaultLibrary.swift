// A library that makes a program's disk fail and its clock wrong, compiled when a test first needs it. It is not part of the
// package, which would have to export it as a product.

package import Foundation

/// The library that is loaded into the program with LD_PRELOAD.
package enum FaultLibrary {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The library's file, compiled once in each run of the tests.
    package static var location: URL {
        get throws { try compiled.get() }
    }

    private static let compiled = Result { try compile() }

    private static func compile() throws -> URL {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Tests/FaultInjection/fault.c")
        let library = ServerProcess.executable.deletingLastPathComponent().appending(path: "libFaultInjection.so")
        // Renamed when it is complete, because other test runs may be loading the existing one.
        let unfinished = library.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier)")
        let compiler = Process()
        // The compiler that comes with Swift.
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", source.path, "-o", unfinished.path,
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0, unsafe rename(unfinished.path, library.path) == 0 else {
            throw Failure(description: "clang made no library of \(source.path)")
        }
        return library
    }
}
