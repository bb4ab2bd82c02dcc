// Listens to Tweencast and posts updates, with nothing but Foundation, on Linux as well (Swift 6):
//   swiftc -parse-as-library client.swift -o client
//   ./client stream http://localhost:8080 'ticker=visitors'
//   ./client add http://localhost:8080 visitors 1

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Seconds of silence after which the server is asked to say something.
let heartbeat = 5.0

/// An answer that isn't what was asked for.
struct Refused: LocalizedError {
    let status: Int
    /// What it says to wait.
    let retryAfter: Duration?
    /// The server would answer the same again.
    var isFinal: Bool { status == 204 || (400..<500).contains(status) && status != 429 }
    var errorDescription: String? { "\(status)" }

    init(_ answer: HTTPURLResponse) {
        status = answer.statusCode
        retryAfter = answer.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds($0) }
    }
}

struct Event: Sendable {
    var name = "message"
    var id: String?
    var data: [String] = []
}

/// Takes an answer's bytes as they come. (`URLSession.bytes` does that elsewhere; Linux hasn't got it.)
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
    /// Until the next connection; the server tells its own.
    private var retry = Duration.seconds(2)

    init(_ url: URL) {
        self.url = url
    }

    /// Hands over events, on as many connections as it takes.
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
                FileHandle.standardError.write(Data("no stream: \(error.localizedDescription)\n".utf8))
                failures += 1
                asked = (error as? Refused)?.retryAfter
            }
            // What the server asked for spreads its clients; a server that stays away is asked less and less.
            let longer = min(retry * (1 << min(max(0, failures - 1), 5)), .seconds(30))
            try await Task.sleep(for: asked ?? max(retry, longer))
        }
    }

    private func connection(_ handle: (Event) -> Void) async throws {
        var request = URLRequest(url: url)
        // A heartbeat that stays out twice is a connection that is dead: the task fails then.
        request.timeoutInterval = 2 * heartbeat + 1
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
                // Only now is the event whole. One that was cut off comes again, so its id must not count yet.
                last = event.id ?? last
                if !event.data.isEmpty { handle(event) }
                if event.name == "bye" { return }
                event = Event()
            default: break  // a comment, or a field of later servers
            }
        }
    }

    private static func parts(of line: String) -> (String, String) {
        guard let colon = line.firstIndex(of: ":") else { return (line, "") }
        return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
}

/// Adds to a ticker's target, once, however often it has to be sent.
func add(_ number: String, to url: URL) async throws -> String {
    var request = URLRequest(url: url, timeoutInterval: 10)
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"by":\#(number),"duration":0.5}"#.utf8)
    request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    for attempt in 0..<10 {
        var pause = min(.milliseconds(500 << attempt), Duration.seconds(30))
        do {
            let (body, response) = try await URLSession.shared.data(for: request)
            guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            let refused = Refused(answer)
            if refused.isFinal { throw refused }
            if answer.statusCode < 400 { return String(decoding: body, as: UTF8.self) }
            pause = refused.retryAfter ?? pause
        } catch let error as URLError {
            FileHandle.standardError.write(Data("not answered: \(error.localizedDescription)\n".utf8))
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
            print(try await add(words[4], to: url("\(words[2])/v1/tickers/\(words[3])")))
        default:
            let stream = try EventStream(url("\(words[2])/v1/events?\(words[3])&heartbeat=\(Int(heartbeat))"))
            try await stream.forEach { event in
                // `print` keeps lines back where nobody sees them come.
                FileHandle.standardOutput.write(Data("\(event.name) \(event.data.joined(separator: "\n"))\n".utf8))
            }
        }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        return url
    }
}
