// The head that the transport writes itself.

import Testing

@testable import HTTPTransport

@Suite struct ResponseHeadTests {
    private func head(_ headers: [(String, String)], at time: Int = 0) -> String {
        String(decoding: ResponseHead.bytes(status: 200, reason: "OK", headers, at: time), as: UTF8.self)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
        (1_798_761_600, "Fri, 01 Jan 2027 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-1, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func `a response head carries the date in HTTP's format`(time: Int, date: String) {
        #expect(head([], at: time) == "HTTP/1.1 200 OK\r\nConnection: close\r\nDate: \(date)\r\n\r\n")
    }

    @Test func `the headers of a response head keep their order`() {
        let head = head([("Content-Type", "text/event-stream"), ("X-Empty", ""), ("X-Text", "a b")])
        #expect(head.hasSuffix("GMT\r\nContent-Type: text/event-stream\r\nX-Empty: \r\nX-Text: a b\r\n\r\n"))
    }

    @Test(arguments: [("X", "a\r\nSet-Cookie: b"), ("X\r\n", "a"), ("", "a"), ("X Y", "a"), ("X", "\u{0}")])
    func `a header with a line break or control character is left out of the head`(name: String, value: String) {
        #expect(head([(name, value)]) == head([]))
    }
}
