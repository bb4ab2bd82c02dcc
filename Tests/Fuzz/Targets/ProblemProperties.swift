// Refusals: each says what is wrong and where, as JSON.

import Wire

enum ProblemProperties {
    /// Of a request whose fields are JSON.
    static func check(_ problem: Problem) throws(Violation) {
        try require([400, 409, 413, 422, 501].contains(problem.status), "status \(problem.status)")
        try require(!problem.detail.isEmpty && !problem.title.isEmpty, "a problem without words")
        if problem.status == 422 { try require(problem.pointer != nil, "\(problem.detail) of which field?") }
        if let pointer = problem.pointer {
            // By bytes: what a client named may begin with what combines with the sign before it.
            let first = pointer.utf8.first
            try require(
                first == nil || first == UInt8(ascii: "/") || first == UInt8(ascii: "?"), "\(pointer) is no place")
        }
        try JSONProperties.check(problem.body, "a problem")
    }
}

enum JSONProperties {
    /// JSON. A client's own, which may be within, has the line breaks that it came with.
    static func check(_ bytes: [UInt8], _ what: String) throws(Violation) {
        do throws(JSONError) {
            _ = try JSONDocument(bytes, from: .stored)
        } catch {
            throw Violation("\(what) is no JSON (\(error)): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
