// Requests as bytes in a log, and their decoding by each process that executes the log. A client's JSON is stored unchanged
// and decoded by the same rules as on arrival.

package import Base
package import Board
package import RecurrenceRules
import Wire

extension Request {
    /// The raw values are in logs.
    private enum Code: UInt8 {
        case command = 1
        case batch = 2
        case deadLetter = 3
        case webhookEnded = 4
        case heard = 5
        case left = 6
        case ticketMade = 7
        case ticketSpent = 8
        case outageEnded = 9
    }

    /// Appends the request without its waiter.
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .command(let request):
            writer.byte(Code.command.rawValue)
            request.write(to: &writer)
        case .batch(let part):
            writer.byte(Code.batch.rawValue)
            part.write(to: &writer)
        case .deadLetter(let id, let operation, _):
            writer.byte(Code.deadLetter.rawValue)
            writer.text(id)
            writer.flag(operation == .retry)
        case .ticketMade(let ticket, _):
            writer.byte(Code.ticketMade.rawValue)
            ticket.write(to: &writer)
        case .ticketSpent(let key, _):
            writer.byte(Code.ticketSpent.rawValue)
            writer.text(key)
        case .webhookEnded(let id, let attempt, let outcome, let jitter):
            writer.byte(Code.webhookEnded.rawValue)
            writer.text(id)
            writer.count(attempt)
            outcome.write(to: &writer)
            writer.double(jitter)
        case .heard(let name, let hasSubscribers, let replica):
            writer.byte(Code.heard.rawValue)
            writer.name(name)
            writer.flag(hasSubscribers)
            writer.text(replica)
        case .left(let replica):
            writer.byte(Code.left.rawValue)
            writer.text(replica)
        case .outageEnded: writer.byte(Code.outageEnded.rawValue)
        }
    }

    /// Reads what `write` wrote.
    /// - Parameter rules: The calendar rules for schedules.
    package init(from reader: inout ByteReader, rules: any CalendarRules) throws(ByteReader.Damage) {
        switch Code(rawValue: try reader.byte()) {
        case .command: self = .command(try CommandRequest(from: &reader, rules: rules))
        case .batch: self = .batch(try BatchPart(from: &reader, rules: rules))
        case .deadLetter:
            let id = try reader.text()
            self = .deadLetter(id: id, try reader.flag() ? .retry : .discard, nil)
        case .webhookEnded:
            let (id, attempt) = (try reader.text(), try reader.count())
            let outcome = try WebhookOutcome(from: &reader)
            self = .webhookEnded(id: id, attempt: attempt, outcome, jitter: try reader.double())
        case .heard:
            let (name, hasSubscribers) = (try reader.name(), try reader.flag())
            self = .heard(name, hasSubscribers, on: try reader.text())
        case .left: self = .left(try reader.text())
        case .outageEnded: self = .outageEnded
        case .ticketMade: self = .ticketMade(try Ticket(from: &reader), nil)
        case .ticketSpent: self = .ticketSpent(key: try reader.text(), nil)
        case nil: throw ByteReader.Damage()
        }
    }
}

extension CommandRequest {
    func write(to writer: inout ByteWriter) {
        command.write(to: &writer)
        writer.optional(name) { $0.name($1) }
        writer.optional(precondition) { $0.precondition($1) }
        writer.optional(retry) { $0.retry($1) }
        switch form {
        case .noContent: writer.byte(0)
        case .schedules: writer.byte(1)
        case .stream: writer.byte(2)
        case .resource(let status, let created):
            writer.byte(3)
            writer.count(status)
            writer.count(created)
        }
        writer.count(preview)
    }

    init(from reader: inout ByteReader, rules: any CalendarRules) throws(ByteReader.Damage) {
        let command = try Command(from: &reader, rules: rules)
        let name = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.name() }
        let precondition = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.precondition() }
        let retry = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.retry() }
        let form: Form
        switch try reader.byte() {
        case 0: form = .noContent
        case 1: form = .schedules
        case 2: form = .stream
        case 3:
            let status = try reader.count()
            form = .resource(status: status, created: try reader.count())
        default: throw ByteReader.Damage()
        }
        self.init(command, showing: name, as: form)
        (self.precondition, self.retry) = (precondition, retry)
        preview = try reader.count()
    }
}

extension BatchPart {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.count(next)
        writer.count(count)
        writer.optional(retry) { $0.retry($1) }
        writer.list(lines) { writer, line in
            switch line {
            case .success(let command):
                writer.flag(true)
                command.write(to: &writer)
            case .failure(let problem):
                writer.flag(false)
                problem.write(to: &writer)
            }
        }
    }

    fileprivate init(from reader: inout ByteReader, rules: any CalendarRules) throws(ByteReader.Damage) {
        let (next, count) = (try reader.count(), try reader.count())
        let retry = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.retry() }
        let lines = try reader.list { (reader) throws(ByteReader.Damage) -> Result<Command, Problem> in
            try reader.flag()
                ? .success(try Command(from: &reader, rules: rules)) : .failure(try Problem(from: &reader))
        }
        guard next <= count, lines.count <= count - next else { throw ByteReader.Damage() }
        self.init(lines[...], from: next, of: count, retry: retry, waiter: nil)
    }
}

extension ByteWriter {
    package mutating func name(_ name: ResourceName) {
        byte(name.kind.rawValue)
        text(name.id)
    }

    mutating func precondition(_ condition: Precondition) {
        optional(condition.match) { $0.revisions($1) }
        optional(condition.noneMatch) { $0.revisions($1) }
    }

    private mutating func revisions(_ revisions: Precondition.Revisions) {
        switch revisions {
        case .any: byte(0)
        case .these(let values):
            byte(1)
            list(values) { $0.number($1) }
        }
    }

    mutating func retry(_ retry: RetryKey) {
        text(retry.key)
        number(retry.fingerprint)
        text(retry.client)
    }
}

extension ByteReader {
    package mutating func name() throws(Damage) -> ResourceName {
        let raw = try byte()
        guard let kind = ResourceKind.allCases.first(where: { $0.rawValue == raw }) else { throw Damage() }
        return ResourceName(kind, try text())
    }

    mutating func precondition() throws(Damage) -> Precondition {
        let match = try optional { (reader) throws(Damage) in try reader.revisions() }
        return Precondition(
            match: match, noneMatch: try optional { (reader) throws(Damage) in try reader.revisions() })
    }

    private mutating func revisions() throws(Damage) -> Precondition.Revisions {
        switch try byte() {
        case 0: .any
        case 1: .these(try list { (reader) throws(Damage) in try reader.unsigned() })
        default: throw Damage()
        }
    }

    mutating func retry() throws(Damage) -> RetryKey {
        let (key, fingerprint) = (try text(), try unsigned())
        return RetryKey(key: key, fingerprint: fingerprint, client: try text())
    }
}
