// A replica's report as text.

import Replication

/// A replica's report as the server stores it: `seen sequence checkpoint digest`, and `loading` without a board.
enum ReportText {
    static func text(of report: ReplicaReport) -> String {
        let checkpoint = report.checkpoint.map { "\($0.sequence) \($0.digest)" } ?? "- -"
        return "\(report.sequence) \(checkpoint)" + (report.hasBoard ? "" : " loading")
    }

    /// - Returns: nil for text that no replica wrote.
    static func report(of name: String, _ text: String) -> (seen: Int64, ReplicaReport)? {
        let words = text.split(separator: " ")
        guard words.count == 4 || words.dropFirst(4) == ["loading"],
            let seen = Int64(words[0]), StoredNumber.isRight(seen), let sequence = UInt64(words[1])
        else { return nil }
        var report = ReplicaReport(name: name)
        (report.sequence, report.hasBoard) = (sequence, words.count == 4)
        if let place = UInt64(words[2]), let digest = UInt64(words[3]) {
            report.checkpoint = DigestCheckpoint(sequence: place, digest: digest)
        }
        return (seen, report)
    }
}
