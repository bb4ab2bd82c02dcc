// What an answer costs beyond others, known when it is made: pictures and lists of frames.

package import Wire

/// Counts the cost of one request's answer towards the rate of its owner's requests.
package struct AnswerCost: Sendable {
    /// Bytes of a picture that cost as much as a request.
    private static let pictureBytes = 1_024
    /// Bytes of a list of frames that cost as much as a request.
    private static let listBytes = 4_096

    /// Whether the answer has a body; that to HEAD has none.
    private let hasBody: Bool
    private let count: @Sendable (_ requests: Int) throws(Problem) -> Void

    package init(hasBody: Bool = true, _ count: @escaping @Sendable (_ requests: Int) throws(Problem) -> Void) {
        self.hasBody = hasBody
        self.count = count
    }

    /// Counts a picture that was made.
    /// - Throws: 429 if the owner's rate is used up.
    package func add(pictureOf bytes: Int) throws(Problem) { try count(bytes / Self.pictureBytes) }

    /// Counts a list of frames before it is made; without a body, only the portion that shows its length.
    /// - Throws: 429 if the owner's rate is used up.
    package func add(listOf bytes: Int, first portion: Int) throws(Problem) {
        try count((hasBody ? bytes : portion) / Self.listBytes)
    }
}
