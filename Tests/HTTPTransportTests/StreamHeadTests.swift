// The heads of streams, of which most of the last one is kept.

import Testing

@testable import HTTPTransport

@Suite struct StreamHeadTests {
    private let type = [("Content-Type", "text/event-stream")]
    private let vary = [(name: "Vary", value: "Origin")]

    private func text(_ head: StreamHead) -> String { String(decoding: head.bytes, as: UTF8.self) }

    @Test func `a head written from the cached last one equals that of a new writer`() {
        var writer = StreamHeadWriter()
        let cases: [(others: [(name: String, value: String)], id: String, isChunked: Bool, time: Int)] = [
            (vary, "a-1", true, 784_111_777), (vary, "a-2", true, 784_111_777), (vary, "a-3", true, 784_111_778),
            ([], "a-4", true, 784_111_778), ([], "a-5", false, 784_111_778), (vary, "a-6", false, 784_111_778),
            (vary, "a-7", true, 784_111_777),
        ]
        for (others, id, isChunked, time) in cases {
            for headers in [type, [], type] {
                let head = writer.head(headers, adding: others, id: id, isChunked: isChunked, at: time)
                var new = StreamHeadWriter()
                #expect(text(head) == text(new.head(headers, adding: others, id: id, isChunked: isChunked, at: time)))
                #expect(head.isChunked == isChunked)
            }
        }
    }

    @Test func `a head has the date, the framing, all headers and the request's own ID`() {
        var writer = StreamHeadWriter()
        for id in ["a-1", "a-2"] {
            let head = writer.head(type, adding: vary, id: id, isChunked: true, at: 784_111_777)
            #expect(
                text(head) == """
                    HTTP/1.1 200 OK\r
                    Connection: close\r
                    Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                    Transfer-Encoding: chunked\r
                    Content-Type: text/event-stream\r
                    Vary: Origin\r
                    X-Request-ID: \(id)\r
                    \r

                    """)
        }
    }

    @Test func `a header with a control character is left out of each head`() {
        var writer = StreamHeadWriter()
        for id in ["a-1", "a-2"] {
            let head = writer.head([("X-Odd", "a\r\nb")], adding: vary, id: id, isChunked: true, at: 0)
            #expect(!text(head).contains("X-Odd"))
        }
    }
}
