// A list of frames, made one portion at a time as the client reads it. An unread list costs its number and one portion.

import Base
import Gateway
import HTTPTransport
import Synchronization
import Wire

/// The portions of a list behind the first.
final class FrameListBody: BodySource {
    private let writer: Mutex<FrameListWriter>

    private init(_ writer: FrameListWriter) { self.writer = Mutex(writer) }

    /// Returns the answer with a list: whole if it fits into one portion.
    /// - Throws: 429 if its client has asked for too much.
    static func response(
        with list: FrameList, as form: FrameList.Form, counting cost: AnswerCost
    ) throws(Problem) -> HTTPResponse {
        var writer = FrameListWriter(list, as: form)
        let first = writer.portion(of: StreamedBody.portion)
        // The whole list is counted at once; otherwise a client could begin many.
        let whole = Int(saturating: Double(first.bytes.count) / writer.share)
        try cost.add(listOf: whole, first: first.bytes.count)
        return .text(first.bytes, form.contentType, rest: first.isLast ? nil : FrameListBody(writer))
    }

    func wantsMore(_ body: any PortionReceiver) {
        let next = writer.withLock { $0.portion(of: StreamedBody.portion) }
        body.append(next.bytes, isLast: next.isLast)
    }

    func ended() {}
}
