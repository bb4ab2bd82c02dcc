// Asks a real browser: a page with a script and its data goes in, JSON comes out of the document the script leaves.
// No network, no driver, no profile that outlives the question.

import Foundation
import TestSupport

/// Debian's Chromium, headless.
enum Chromium {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
    /// Why a suite that needs it is skipped.
    static let missing = "needs Debian's chromium, which make test installs"

    private static let program = "/usr/bin/chromium"

    /// Runs `answer(question)` of a script among the pages and reads what it returns.
    /// - Parameter library: A script that runs before it.
    static func answer<Question: Encodable, Answer: Decodable>(
        of page: String, with library: String = "", to question: Question, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        let script = try String(contentsOf: pages.appending(path: page), encoding: .utf8)
        let data = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
        let document = try dump(
            """
            <!DOCTYPE html><meta charset="utf-8"><body><script>
            \(library)
            \(script)
            let text
            try { text = JSON.stringify({ answer: answer(\(data)) }) }
            catch (error) { text = JSON.stringify({ failure: String(error) }) }
            // Nothing is left that the document's own escapes would change.
            const escape = (unit) => "\\\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0")
            document.documentElement.innerHTML = "<body></body>"
            document.body.textContent = text.replace(/[^ -~]|[<>&]/g, escape)
            </script></body>
            """)
        guard let start = document.range(of: "<body>"),
            let end = document.range(of: "</body>", range: start.upperBound..<document.endIndex)
        else { throw Failure(description: "no document: \(document.prefix(400))") }
        let reply = try JSONDecoder().decode(
            Reply<Answer>.self, from: Data(document[start.upperBound..<end.lowerBound].utf8))
        guard let answer = reply.answer else { throw Failure(description: reply.failure ?? "no answer") }
        return answer
    }

    private struct Reply<Answer: Decodable>: Decodable {
        let answer: Answer?
        let failure: String?
    }

    private static let pages = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages")

    /// The document as it is when its scripts have run.
    private static func dump(_ html: String) throws -> String {
        let folder = TemporaryFolder()
        let page = URL(filePath: folder.path).appending(path: "page.html")
        try Data(html.utf8).write(to: page)
        let process = Process()
        // A browser that hangs is ended, and the question with it.
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = [
            "60", program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--user-data-dir=\(folder.path)/profile", "--dump-dom", page.absoluteString,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let document = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "chromium ended with \(process.terminationStatus)")
        }
        // The folder goes with its owner, which must outlive the process.
        return withExtendedLifetime(folder) { String(decoding: document, as: UTF8.self) }
    }
}
