// Streams from Tweencast and posts updates, with only Foundation, on Linux too (Swift 6):
//   swiftc -parse-as-library client.swift -o client
//   ./client stream http://localhost:8080 'ticker=visitors'
//   ./client add http://localhost:8080 visitors 1
// TWEENCAST_TOKEN is sent where the server asks for tokens. TWEENCAST_KEY names what is added: with the same key it
// counts once, even if a cron job runs twice.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Seconds of silence before a heartbeat.
let heartbeat = 5.0
/// Seconds that this waits at most, even if an answer asks for more.
let longest = 60

/// An answer other than the expected one.
struct Refused: LocalizedError {
    let status: Int
    /// How long it asks to wait, at most a minute.
    let retryAfter: Duration?
    /// Whether a retry would get the same answer.
    var isFinal: Bool { status == 204 || (300..<500).contains(status) && status != 429 }
    var errorDescription: String? { "\(status)" }

    init(_ answer: HTTPURLResponse) {
        status = answer.statusCode
        let asked = answer.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        retryAfter = asked.map { .seconds(min($0, longest)) }
        if let asked, asked > longest {
            note("\(status): the server asks for \(asked) s, trying again in \(longest) s")
        }
    }
}

func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}

/// A request with the token of the environment.
func request(_ url: URL, patience: Double) -> URLRequest {
    var request = URLRequest(url: url, timeoutInterval: patience)
    if let token = ProcessInfo.processInfo.environment["TWEENCAST_TOKEN"], !token.isEmpty {
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
    return request
}

/// Follows no redirect: the token is for this server alone.
final class Direct: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

struct Event: Sendable {
    var name = "message"
    var id: String?
    var data: [String] = []
}

/// Receives an answer's bytes as they arrive. (Other systems have `URLSession.bytes`; Linux doesn't.)
final class Lines: NSObject, URLSessionDataDelegate, Sendable {
    private let lines: AsyncThrowingStream<String, any Error>.Continuation
    // Only touched by the session's queue, which is serial.
    nonisolated(unsafe) private var rest = Data()

    init(_ lines: AsyncThrowingStream<String, any Error>.Continuation) {
        self.lines = lines
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let answer = response as? HTTPURLResponse
        if let answer, answer.statusCode != 200 { lines.finish(throwing: Refused(answer)) }
        completionHandler(answer?.statusCode == 200 ? .allow : .cancel)
    }

    // The same again: on Linux a class that inherited it would never hear of the end of its task.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        rest.append(data)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = Data(rest[(end + 1)...])
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lines.finish(throwing: error)
        session.finishTasksAndInvalidate()
    }
}

final class EventStream {
    private let url: URL
    private var last: String?
    /// Until the next connection, unless the server sends another.
    private var retry = Duration.seconds(2)

    init(_ url: URL) {
        self.url = url
    }

    /// Passes on events, over any number of connections.
    func forEach(_ handle: @Sendable (Event) -> Void) async throws {
        var failures = 0
        while true {
            var asked: Duration?
            do {
                try await connection {
                    failures = 0
                    handle($0)
                }
            } catch let refused as Refused where refused.isFinal {
                throw refused
            } catch {
                note("no stream: \(error.localizedDescription)")
                failures += 1
                asked = (error as? Refused)?.retryAfter
            }
            // The server's `retry` spreads its clients; while it stays away, attempts become rarer.
            let longer = min(retry * (1 << min(max(0, failures - 1), 5)), .seconds(30))
            try await Task.sleep(for: asked ?? max(retry, longer))
        }
    }

    private func connection(_ handle: (Event) -> Void) async throws {
        // After two missing heartbeats the connection is dead: the task then fails.
        var request = request(url, patience: 2 * heartbeat + 1)
        request.setValue(last, forHTTPHeaderField: "Last-Event-ID")
        let (lines, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
        let session = URLSession(configuration: .ephemeral, delegate: Lines(continuation), delegateQueue: nil)
        let task = session.dataTask(with: request)
        task.resume()
        defer { task.cancel() }
        var event = Event()
        for try await line in lines {
            let (field, value) = Self.parts(of: line)
            switch field {
            case "event": event.name = value
            case "id": event.id = value
            case "retry": retry = .milliseconds(Int(value) ?? 2_000)
            case "data": event.data.append(value)
            case "" where line.isEmpty:
                // The event is complete only now. One that was cut off is sent again, so its id must not be stored earlier.
                last = event.id ?? last
                if !event.data.isEmpty { handle(event) }
                if event.name == "bye" { return }
                event = Event()
            default: break  // a comment, or a field of a later version
            }
        }
    }

    private static func parts(of line: String) -> (String, String) {
        guard let colon = line.firstIndex(of: ":") else { return (line, "") }
        return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
}

/// Adds to a ticker's target once, however often it is sent.
func add(_ number: String, to url: URL) async throws -> String {
    var request = request(url, patience: 10)
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"by":\#(number),"duration":0.5}"#.utf8)
    let key = ProcessInfo.processInfo.environment["TWEENCAST_KEY"].flatMap { $0.isEmpty ? nil : $0 }
    request.setValue(key ?? UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let session = URLSession(configuration: .ephemeral, delegate: Direct(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    for attempt in 0..<10 {
        var pause = min(.milliseconds(500 << attempt), Duration.seconds(30))
        do {
            let (body, response) = try await session.data(for: request)
            guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            let refused = Refused(answer)
            if refused.isFinal { throw refused }
            if answer.statusCode < 400 { return String(decoding: body, as: UTF8.self) }
            pause = refused.retryAfter ?? pause
        } catch let error as URLError {
            note("not answered: \(error.localizedDescription)")
        }
        try await Task.sleep(for: pause)
    }
    throw URLError(.timedOut)
}

@main struct Client {
    static func main() async throws {
        let words = CommandLine.arguments
        switch words[1] {
        case "add":
            print(try await add(words[4], to: url(words[2], "/v1/tickers/\(words[3])")))
        default:
            let stream = try EventStream(url(words[2], "/v1/events?\(words[3])&heartbeat=\(Int(heartbeat))"))
            try await stream.forEach { event in
                // `print` buffers lines if the output is no terminal.
                FileHandle.standardOutput.write(Data("\(event.name) \(event.data.joined(separator: "\n"))\n".utf8))
            }
        }
    }

    /// The server's address from what was typed, with a path: localhost:8080/ means http://localhost:8080.
    private static func url(_ typed: String, _ path: String) throws -> URL {
        let server = typed.contains("://") ? typed : "http://" + typed
        guard let url = URL(string: (server.hasSuffix("/") ? String(server.dropLast()) : server) + path) else {
            throw URLError(.badURL)
        }
        return url
    }
}
