// The client library as the shared vectors of clients/vectors run it: what its streams bring, a line of JSON each.
//   client-vectors items URL TOPIC…
//   client-vectors motions < motions.json
//   client-vectors add URL TICKER AMOUNT

import Foundation
import TweencastClient

@main
struct ClientVectors {
    /// The fields of a line that are there.
    private struct Line: Encodable {
        var item: String
        var topic: String?
        var name: String?
        var text: String?
        var value: Double?
        var fraction: Double?
        var reason: String?
        var status: Int?
        var detail: String?
    }

    private struct Target: Decodable {
        var target: Decimal
    }

    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.dropFirst() == ["motions"] { return printMotions() }
        guard arguments.count > 3 else {
            print("client-vectors items URL TOPIC…, client-vectors motions, or client-vectors add URL TICKER AMOUNT")
            exit(2)
        }
        let environment = ProcessInfo.processInfo.environment
        let client = Client(arguments[2], token: environment["TWEENCAST_TOKEN"])
        if arguments[1] == "add" {
            await add(arguments[4], to: client.ticker(arguments[3]))
        } else {
            await printItems(of: arguments.dropFirst(3).compactMap(Self.topic), client)
        }
    }

    private static func add(_ text: String, to ticker: RemoteTicker) async {
        do {
            guard let amount = Amount(text) else { throw ClientError.invalidRequest(text) }
            let state = try await ticker.add(amount)
            print(try JSONDecoder().decode(Target.self, from: Data(state.json.utf8)).target)
        } catch {
            print(error)
            exit(1)
        }
    }

    private static func printMotions() {
        do {
            let text = FileHandle.standardInput.readDataToEndOfFile()
            let vectors = try JSONSerialization.jsonObject(with: text) as? [[String: Any]] ?? []
            let values = try vectors.map { vector -> [Double] in
                let event = vector["event"] as? [String: Any]
                let json = try JSONSerialization.data(withJSONObject: event?["motion"] ?? [:])
                guard let motion = RemoteMotion(json: Array(json)) else { return [] }
                return (vector["at"] as? [Double] ?? []).map { motion.value(at: $0) }
            }
            FileHandle.standardOutput.write(try JSONEncoder().encode(values))
        } catch {
            print(error)
            exit(1)
        }
    }

    private static func topic(_ text: String) -> Topic? {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let kind = Topic.Kind(rawValue: String(parts[0])) else { return nil }
        return Topic(kind, String(parts[1]))
    }

    private static func printItems(of topics: [Topic], _ client: Client) async {
        var options = StreamOptions()
        options.heartbeat = 1
        do throws(ClientError) {
            for try await item in client.items(of: topics, options) { write(line(of: item)) }
            write(Line(item: "ended"))
        } catch {
            guard case .refused(let problem) = error else { return write(Line(item: "failed", detail: "\(error)")) }
            write(Line(item: "refused", status: problem.status, detail: problem.detail))
        }
    }

    private static func line(of item: StreamItem) -> Line {
        switch item {
        case .connected: Line(item: "connected")
        case .disconnected: Line(item: "disconnected")
        case .frame(let frame):
            Line(
                item: "frame", topic: text(of: frame.topic), text: frame.text, value: frame.value,
                fraction: frame.fraction)
        case .event(let event):
            Line(item: "event", topic: event.topic.map(text), name: event.name, reason: event.reason)
        }
    }

    private static func text(of topic: Topic) -> String { "\(topic.kind.rawValue):\(topic.name)" }

    private static func write(_ line: Line) {
        guard let json = try? JSONEncoder().encode(line) else { return }
        FileHandle.standardOutput.write(json + [UInt8(ascii: "\n")])
    }
}
