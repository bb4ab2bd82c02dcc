// A reader of a stream: it connects to any server, stalls, vanishes, and comes back with the last id that it has.

import Base
import Foundation
import HTTPTransport
import Wire

/// A client that reads a stream for as long as the world lasts.
final class StreamReader {
    /// The form of its frames, and the query that asks for it.
    struct Form {
        let query: String
        let decoder: EventDecoder.Form
        /// Whether its frames of one instant must be the same at every server.
        var isStamped = false
        /// The lines of its terminal.
        var height = 24
    }

    private static let retry: ClosedRange<Int64> = .milliseconds(20)...(.milliseconds(900))
    private static let latency: ClosedRange<Int64> = .microseconds(50)...(.milliseconds(3))

    /// Nanoseconds between two readings of a slow one.
    private static let pauses: [Int64] = [.milliseconds(20), .milliseconds(100)]

    private let world: World
    let number: Int
    private let topics: String
    private let form: Form
    private let servers: [SimulatedServer]
    private let frames: FrameBook
    /// How slowly it always reads; nil if it takes what comes.
    private let pace: ReadingPace?
    private var decoder: EventDecoder
    private var lastID: String?
    private var connection: StreamConnection?
    private var isConnecting = false
    /// By topic, the newest frame of this connection.
    private var newest: [String: String] = [:]
    /// By topic, the frames of the newest instant.
    private var stamped: [String: StampedFrames] = [:]
    private var attempt = 0
    private var terminal: Terminal

    init(
        _ world: World, _ number: Int, topics: String, _ form: Form, servers: [SimulatedServer], frames: FrameBook
    ) {
        (self.world, self.number, self.topics, self.form) = (world, number, topics, form)
        (self.servers, self.frames) = (servers, frames)
        let isSlow = number > 0 && !form.isStamped && world.happens(0.3)
        pace = isSlow ? ReadingPace(bytes: world.pick([2_000, 8_000]), pause: world.pick(Self.pauses)) : nil
        decoder = EventDecoder(form.decoder)
        terminal = Terminal(height: form.height)
        world.history.write("reads", at: 0) {
            $0.member("reader", number)
            $0.member("topics", topics)
            $0.member("form", form.query)
        }
    }

    /// Whether it may stall and vanish: one whose frames are compared is sent all of them.
    var mayBeDisturbed: Bool { number > 0 && !form.isStamped }

    /// Whether it has not read all that it was sent.
    var isBehind: Bool { connection?.isBehind ?? true }

    // MARK: - Connecting

    func connect() {
        guard connection == nil, !isConnecting else { return }
        isConnecting = true
        attempt += 1
        let (server, attempt) = (world.pick(servers), attempt)
        world.after(world.nanoseconds(Self.latency)) { [self] in
            var headers: [(name: String, value: String)] = []
            if let lastID { headers.append(("Last-Event-ID", lastID)) }
            let request = ClientRequest(method: "GET", target: "/v1/events?\(topics)\(form.query)", headers: headers)
            let receiver = StreamReceiver(
                receive: { [weak self] in if self?.attempt == attempt { self?.read($0) } },
                end: { [weak self] in if self?.attempt == attempt { self?.comeBack() } })
            server.receive(request, of: 100 + number, stream: receiver) { [weak self] in self?.take($0, of: server) }
        }
    }

    private func take(_ reply: Reply, of server: SimulatedServer) {
        isConnecting = false
        switch reply {
        case .stream(let connection):
            self.connection = connection
            connection.pace = pace
            decoder = EventDecoder(form.decoder)
            (newest, stamped) = ([:], [:])
            terminal = Terminal(height: form.height)
            world.history.write("opened", at: world.now) {
                $0.member("reader", number)
                $0.member("server", server.name)
                $0.member("last", lastID ?? "")
            }
        case .response(let response):
            if response.status >= 500 || response.status == 200 { return comeBack() }
            world.history.write("wrong", at: world.now) {
                $0.member("what", "reader \(number) is answered \(response.status): \(response.body.text)")
            }
        case .lost: comeBack()
        }
    }

    private func comeBack() {
        connection = nil
        isConnecting = false
        world.history.write("ended", at: world.now) { $0.member("reader", number) }
        world.after(world.nanoseconds(Self.retry)) { [self] in connect() }
    }

    /// Leaves, and comes back.
    func vanish() {
        world.history.mark("reader vanished")
        connection?.breakOff(after: world.nanoseconds(Self.latency))
    }

    /// Reads nothing for so long.
    func stall(for time: Int64) {
        guard let connection else { return }
        world.history.mark("reader stalled")
        connection.isReading = false
        world.after(time) { connection.isReading = true }
    }

    // MARK: - Reading

    private func read(_ bytes: [UInt8]) {
        guard form.decoder != .terminal else { return terminal.show(decoder.body(in: bytes)) }
        for event in decoder.read(bytes) {
            if form.decoder == .events { take(event) } else { take(line: event.data) }
        }
    }

    private func take(_ event: ReadEvent) {
        if let id = event.id { lastID = id }
        guard !event.name.isEmpty else { return take(frame: event.data) }
        world.history.write(event, of: number, at: world.now)
    }

    private func take(line: String) {
        guard !line.isEmpty else { return }
        let frame = #"{"event":"frame","data":"#
        if line.hasPrefix(frame) { return take(frame: String(line.dropFirst(frame.count).dropLast())) }
        if let start = line.end(of: #""id":""#) {
            lastID = String(line[start...].prefix { $0 != "\"" })
        }
        world.history.write("line", at: world.now) {
            $0.member("reader", number)
            $0.member("line", line)
        }
    }

    private func take(frame: String) {
        let topic = frame.hasPrefix("{") ? String(frame.prefix { $0 != "," }) : "text"
        newest[topic] = frame
        if form.isStamped { take(stamped: frame, of: topic) }
    }

    /// Compares the frames of an instant once it has those of the next. The first may be those of its greeting.
    private func take(stamped frame: String, of topic: String) {
        guard let start = frame.end(of: #","t":"#, inLast: 80), frame.end(of: #","seq":"#, inLast: 80) != nil else {
            return
        }
        let digits = frame.utf8[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let instant = String(decoding: digits, as: UTF8.self)
        if let known = stamped[topic] {
            guard known.instant != instant else {
                stamped[topic]?.frames.append(frame)
                return
            }
            if !known.isFirst { frames.check(known, of: topic, by: number) }
        }
        stamped[topic] = StampedFrames(instant: instant, frames: [frame], isFirst: stamped[topic] == nil)
    }

    /// Writes down what it shows.
    func writeFrames() {
        world.history.write("shows", at: world.now) { json in
            json.member("reader", number)
            json.member("isOpen", connection != nil)
            json.member("screen", form.decoder == .terminal ? terminal.text : "")
            json.member("misplaced", terminal.wrong.first ?? "")
            json.member("frames") { json in
                for (topic, frame) in newest.sorted(by: { $0.key < $1.key }) {
                    json.name(topic.filter { $0.isLetter || $0.isNumber || $0 == ":" || $0 == "-" })
                    json.string(frame)
                }
            }
        }
    }
}

/// A topic's frames of one instant, as one reader was sent them.
struct StampedFrames {
    let instant: String
    var frames: [String]
    let isFirst: Bool
}

/// Frames of all servers: those of one topic and instant must be the same, byte for byte.
final class FrameBook {
    /// Instants that are remembered of each topic.
    private static let capacity = 600

    private let world: World
    private var known: [String: [String: [String]]] = [:]
    /// Whether all servers have each entry of their log in time for its tick.
    var isOfEqualServers = true

    init(_ world: World) { self.world = world }

    func check(_ stamped: StampedFrames, of topic: String, by reader: Int) {
        guard isOfEqualServers else { return }
        if let other = known[topic]?[stamped.instant] {
            guard other != stamped.frames else { return }
            world.history.write("wrong", at: world.now) {
                $0.member("what", "reader \(reader) was sent \(stamped.frames), and another \(other)")
            }
        }
        if known[topic, default: [:]].count >= Self.capacity { known[topic] = [:] }
        known[topic, default: [:]][stamped.instant] = stamped.frames
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    /// Returns where the text goes on behind a mark; nil if it doesn't have it. `firstRange(of:)` took six tenths of a quiet day.
    /// - Parameter most: Only so many bytes of its end are looked through.
    func end(of mark: String, inLast most: Int = .max) -> String.Index? {
        guard let first = mark.utf8.first else { return startIndex }
        var rest = utf8.suffix(most)
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: mark.utf8) { return utf8.index(place, offsetBy: mark.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
