// Which form of an answer a client is given.

import Base
import EventStream
import Testing

@testable import Gateway

@Suite struct AcceptedTypesTests {
    private enum Form { case resource, events, lines }

    private static func form(_ header: String?) -> Form {
        let accepted = AcceptedTypes(header)
        guard accepted.prefersStream else { return .resource }
        var stream = StreamRequest(parts: StreamParts(TopicSelection([]), .json))
        accepted.choose(&stream)
        return stream.encoding?.contentType == "application/x-ndjson" ? .lines : .events
    }

    @Test(arguments: [
        (nil, "resource"), ("*/*", "resource"), ("text/*", "resource"), ("application/json", "resource"),
        ("text/event-stream", "events"), ("text/event-stream, */*", "events"),
        ("application/json, text/event-stream", "events"), ("Text/Event-Stream;charset=utf-8", "events"),
        ("text/event-stream;q=0.5, application/json", "resource"), ("text/event-stream;q=0.5, */*;q=0.8", "resource"),
        ("text/event-stream;q=0.5, application/json;q=0.1, */*", "events"), ("text/event-stream;q=0", "resource"),
        ("application/x-ndjson", "lines"), ("application/x-ndjson, */*", "lines"),
        ("application/x-ndjson, text/event-stream", "events"),
        ("application/x-ndjson, text/event-stream;q=0.9", "lines"), ("text/event-streams", "resource"),
    ])
    func `a change is answered by a stream only if Accept prefers a stream type`(header: String?, form: String) {
        #expect("\(Self.form(header))" == form)
    }

    @Test(arguments: [
        (nil, true), ("", true), ("*/*", true), ("*/*;q=0", false), ("application/json", true), ("application/*", true),
        ("application/json;q=0, */*", false), ("text/event-stream", false), ("text/html, */*;q=0.1", true),
    ])
    func `a type that Accept excludes is not accepted`(header: String?, isAccepted: Bool) {
        #expect(AcceptedTypes(header).accepts(oneOf: ["application/json"]) == isAccepted)
    }

    @Test(arguments: [
        (nil, MetricsFormat.prometheus), ("*/*", .prometheus), ("text/plain", .prometheus), ("", .prometheus),
        ("application/openmetrics-text", .openMetrics),
        ("application/openmetrics-text; version=1.0.0", .openMetrics),
        ("application/openmetrics-text; version=0.0.1", .prometheus),
        ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.1", .openMetrics),
        ("application/openmetrics-text;version=1.0.0;q=0.2,text/plain;q=0.4", .prometheus),
        ("application/openmetrics-text;version=1.0.0;q=0.2,*/*;q=0.4", .prometheus),
        ("application/openmetrics-text;q=0", .prometheus), ("application/openmetrics-text;q=x", .prometheus),
        ("Text/Plain , Application/OpenMetrics-Text ; Version=1.0.0", .openMetrics), ("a;b=c;q;,;;", .prometheus),
    ])
    func `Accept chooses between Prometheus and OpenMetrics`(accept: String?, format: MetricsFormat) {
        #expect(AcceptedTypes(accept).metrics == format)
    }
}
