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
        /// Whose token it carries.
        var bearer = Bearer.reader
    }

    private static let retry: ClosedRange<Int64> = .milliseconds(20)...(.milliseconds(900))
    private static let latency: ClosedRange<Int64> = .microseconds(50)...(.milliseconds(3))

    /// The share of connections that it asks for with a token that gives no right to them.
    private static let strangeness = 0.1
    /// The share of those with tokens that read with tickets.
    private static let ticketing = 0.4
    /// The share of tickets that it uses too late.
    private static let forgetfulness = 0.02
    /// Nanoseconds between two readings of a slow one.
    private static let pauses: [Int64] = [.milliseconds(20), .milliseconds(100)]

    private let world: World
    let number: Int
    private let topics: String
    private let form: Form
    private let servers: [SimulatedServer]
    private let tokens: AccessTokens
    private let frames: FrameBook
    private let credential: Credential
    /// Gets a ticket for each of its streams; nil if it shows its token.
    private let tickets: TicketBuyer?
    /// How slowly it always reads; nil if it takes what comes.
    private let pace: ReadingPace?
    private var decoder: EventDecoder
    private var lastID: String?
    private var connection: StreamConnection?
    private var isConnecting = false
    /// Whether it stalled since it connected.
    private var hasStalled = false
    /// By topic, the frames of this connection.
    private var topicFrames: [String: TopicFrames] = [:]
    private var attempt = 0
    private var terminal: Terminal

    init(
        _ world: World, _ number: Int, topics: String, _ form: Form, servers: [SimulatedServer], tokens: AccessTokens,
        frames: FrameBook
    ) {
        (self.world, self.number, self.topics, self.form) = (world, number, topics, form)
        (self.servers, self.tokens, self.frames) = (servers, tokens, frames)
        let isSlow = number > 0 && !form.isStamped && world.happens(0.3)
        pace = isSlow ? ReadingPace(bytes: world.pick([2_000, 8_000]), pause: world.pick(Self.pauses)) : nil
        let mayBeDisturbed = number > 0 && !form.isStamped
        credential = Credential(world, tokens, of: form.bearer, mayExpire: mayBeDisturbed) { servers[0].wall }
        let hasTickets = tokens.areRequired && mayBeDisturbed && world.happens(Self.ticketing)
        tickets = hasTickets ? TicketBuyer(world, number, servers: servers, topics: topics) : nil
        decoder = EventDecoder(form.decoder)
        terminal = Terminal(height: form.height)
        world.history.write("reads", at: 0) {
            $0.member("reader", number)
            $0.member("topics", isNarrow ? AccessTokens.narrowTopics.joined(separator: "&") : topics)
            $0.member("form", form.query)
            $0.member("isNarrow", isNarrow)
            $0.member("hasTickets", hasTickets)
        }
    }

    /// Whether its token has no right to some of its topics.
    private var isNarrow: Bool { tokens.areRequired && form.bearer == .narrowReader }

    /// Whether it may stall and vanish: one whose frames are compared is sent all of them.
    var mayBeDisturbed: Bool { number > 0 && !form.isStamped }

    /// Whether it has not read all that it was sent.
    var isBehind: Bool { connection?.isBehind ?? true }

    // MARK: - Connecting

    func connect() {
        guard connection == nil, !isConnecting else { return }
        isConnecting = true
        attempt += 1
        let server = world.pick(servers)
        // The first hears of everything only if nothing delays its first connection.
        let mayBeStrange = tokens.areRequired && (number > 0 || lastID != nil)
        let isStrange = mayBeStrange && world.happens(Self.strangeness)
        if isStrange {
            let bearer = world.pick([Bearer.nobody, .stranger, .mute])
            return open(at: server, tokens.headers(of: bearer)) { [weak self] in self?.take($0, bearing: bearer) }
        }
        // Who knows that its token has ended may take another one, or try.
        if let expires = credential.expires, expires < world.now, world.happens(0.5) { credential.renew() }
        let expires = credential.expires ?? 0
        guard let tickets else {
            let asked = world.now
            return open(at: server, credential.headers) { [weak self] in
                self?.take($0, of: server, asked: asked, expires: expires)
            }
        }
        tickets.buy(with: credential.headers, expiring: expires) { [weak self] purchase in
            switch purchase {
            case .ticket(let ticket): self?.spend(ticket, at: server, expires: expires)
            case .refused(let response): self?.take(.response(response), of: server, asked: 0, expires: expires)
            case .lost: self?.comeBack()
            }
        }
    }

    private func spend(_ ticket: String, at server: SimulatedServer, expires: Int64) {
        let wait = world.happens(Self.forgetfulness) ? TicketBuyer.lifetime : 0
        world.after(wait) { [self] in
            let asked = world.now
            let use = tickets?.beginUse(of: ticket, at: server)
            open(at: server, [], ticket: ticket) { [weak self] reply in
                use.map { self?.tickets?.end($0, reply) }
                if case .response(let response) = reply, [401, 429].contains(response.status) {
                    self?.comeBack()
                } else {
                    self?.take(reply, of: server, asked: asked, expires: expires)
                }
            }
        }
    }

    /// Asks for a stream.
    private func open(
        at server: SimulatedServer, _ headers: [(name: String, value: String)], ticket: String? = nil,
        receive: @escaping (Reply) -> Void
    ) {
        let attempt = attempt
        world.after(world.nanoseconds(Self.latency)) { [self] in
            let headers = headers + (lastID.map { [("Last-Event-ID", $0)] } ?? [])
            let target = "/v1/events?\(topics)\(form.query)" + (ticket.map { "&ticket=\($0)" } ?? "")
            let receiver = StreamReceiver(
                receive: { [weak self] in if self?.attempt == attempt { self?.read($0) } },
                end: { [weak self] in if self?.attempt == attempt { self?.comeBack() } })
            server.receive(
                ClientRequest(method: "GET", target: target, headers: headers), of: 100 + number, stream: receiver,
                reply: receive)
        }
    }

    /// - Parameter expires: The world's time at which its token ends; 0 for never.
    private func take(_ reply: Reply, of server: SimulatedServer, asked: Int64, expires: Int64) {
        isConnecting = false
        switch reply {
        case .stream(let connection):
            self.connection = connection
            connection.pace = pace
            decoder = EventDecoder(form.decoder)
            topicFrames = [:]
            terminal = Terminal(height: form.height)
            world.history.write("opened", at: world.now) {
                $0.member("reader", number)
                $0.member("server", server.name)
                $0.member("last", lastID ?? "")
                $0.member("asked", Int(asked))
                $0.member("expires", Int(expires))
            }
        case .response(let response):
            if response.status >= 500 || response.status == 200 { return comeBack() }
            if response.status == 401, expires > 0 {
                world.history.write("refused", at: world.now) {
                    $0.member("reader", number)
                    $0.member("expires", Int(expires))
                }
                world.history.mark("stream refused for its expired token")
                credential.renew()
                return comeBack()
            }
            wrong("is answered \(response.status): \(response.body.text)")
        case .lost, .cut: comeBack()
        }
    }

    /// Takes the answer to a request with a token that gives no right to a stream.
    private func take(_ reply: Reply, bearing bearer: Bearer) {
        switch reply {
        case .response(let response) where response.status == (bearer == .mute ? 403 : 401):
            world.history.mark("stream refused for its token")
        case .response(let response) where response.status >= 500: break
        case .lost, .cut: break
        case .response(let response): wrong("with the token of \(bearer) is answered \(response.status)")
        case .stream(let connection):
            wrong("has a stream with the token of \(bearer)")
            connection.breakOff(after: 0)
        }
        comeBack()
    }

    private func wrong(_ what: String) {
        world.history.write("wrong", at: world.now) { $0.member("what", "reader \(number) \(what)") }
    }

    private func comeBack() {
        world.history.write("ended", at: world.now) {
            $0.member("reader", number)
            $0.member("isDelayed", hasStalled || pace != nil)
        }
        (connection, isConnecting, hasStalled) = (nil, false, false)
        world.after(world.nanoseconds(Self.retry)) { [self] in connect() }
    }

    /// Its next token ends no more.
    func settle() { credential.settle() }

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
        hasStalled = true
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
        if event.name == "bye", event.data.end(of: #""reason":"expired""#) != nil {
            world.history.mark("stream ended as its token expired")
        }
        if event.name == "rate" { world.history.mark("rate of a reader changed") }
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
        let isJSON = frame.utf8.first == UInt8(ascii: "{")
        let topic = isJSON ? String(Substring(frame.utf8.prefix { $0 != UInt8(ascii: ",") })) : "text"
        let whole = topicFrames[topic, default: TopicFrames()].take(frame, isStamped: form.isStamped)
        if let whole { frames.check(whole, of: topic, by: number) }
    }

    /// Writes down what it shows.
    func writeFrames() {
        world.history.write("shows", at: world.now) { json in
            json.member("reader", number)
            json.member("isOpen", connection != nil)
            json.member("screen", form.decoder == .terminal ? terminal.text : "")
            json.member("misplaced", terminal.wrong.first ?? "")
            json.member("frames") { json in
                for (topic, frames) in topicFrames.sorted(by: { $0.key < $1.key }) {
                    json.name(topic.filter { $0.isLetter || $0.isNumber || $0 == ":" || $0 == "-" })
                    json.string(frames.newest)
                }
            }
        }
    }
}

/// A topic's frames of one instant, as one reader was sent them.
struct StampedFrames {
    /// Unix nanoseconds.
    let instant: Int64
    var frames: [String]
    let isFirst: Bool
}

/// What one reader was sent of a topic.
private struct TopicFrames {
    private(set) var newest = ""
    /// Those of the newest instant.
    private var stamped: StampedFrames?

    /// - Returns: The frames of an instant, once there are those of the next. The first may be those of its greeting.
    mutating func take(_ frame: String, isStamped: Bool) -> StampedFrames? {
        newest = frame
        guard isStamped, let instant = frame.stamp else { return nil }
        guard stamped?.instant != instant else {
            stamped?.frames.append(frame)
            return nil
        }
        let known = stamped
        stamped = StampedFrames(instant: instant, frames: [frame], isFirst: known == nil)
        return known?.isFirst == false ? known : nil
    }
}

/// Frames of all servers: those of one topic and instant must be the same, byte for byte.
final class FrameBook {
    /// Instants that are remembered of each topic.
    private static let capacity = 600

    private let world: World
    private var known: [String: [Int64: [String]]] = [:]
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
    /// Unix nanoseconds of a frame's tick, which are in the last bytes of a stamped one; nil if it has none.
    fileprivate var stamp: Int64? {
        guard let start = end(of: #","t":"#, inLast: 80), end(of: #","seq":"#, inLast: 80) != nil else { return nil }
        return Int64(Substring(utf8[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }))
    }

    /// Returns where the text goes on behind a mark; nil if it doesn't have it. `firstRange(of:)` took six tenths of a quiet day.
    /// - Parameter most: Only so many bytes of its end are looked through.
    func end(of mark: String, inLast most: Int = .max) -> String.Index? {
        let (bytes, mark) = (utf8.span, mark.utf8.span)
        var start = max(0, bytes.count - most)
        while start + mark.count <= bytes.count {
            var matching = 0
            while matching < mark.count, bytes[start + matching] == mark[matching] { matching += 1 }
            if matching == mark.count { return utf8.index(startIndex, offsetBy: start + matching) }
            start += 1
        }
        return nil
    }
}
