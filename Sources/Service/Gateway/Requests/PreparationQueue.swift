// What takes longer than a worker may be kept from its other connections: long batches are decoded here, and number formats
// that are new are compiled, on a thread of its own, a little of each request in turn.

package import Board
package import Labels
import OperatingSystem
import Synchronization
import Wire

/// Prepares requests for the tick thread.
package final class PreparationQueue: Sendable {
    /// Lines of a batch that wait to be decoded.
    private struct Decoding: Sendable {
        let lines: [ArraySlice<UInt8>]
        var next = 0
        /// What came of the lines so far, a list a turn: a turn copies none of those before it.
        var commands: [[Result<Command, Problem>]] = []
        let decode: @Sendable (ArraySlice<UInt8>) throws(Problem) -> Command
        /// Goes on with the request; on the queue's thread.
        let finish: @Sendable ([Result<Command, Problem>]) -> Void
    }

    /// A request that waits for its formats.
    private struct Compilation: Sendable {
        /// Those that were not known.
        var uses: [FormatUse]
        /// The same in locales of readers; what can't be compiled there is shown as it was posted.
        var localised: [NumberFormat]
        var failures: [Failure] = []
        /// Goes on with the request; on the queue's thread.
        let finish: @Sendable ([Failure]) -> Void
    }

    /// What is shown to somebody once its formats are compiled.
    private struct Reading: Sendable {
        var formats: [NumberFormat]
        /// On the queue's thread.
        let finish: @Sendable () -> Void
    }

    private enum Job: Sendable {
        case decoding(Decoding)
        case compilation(Compilation)
        case reading(Reading)
    }

    /// A format that can't be taken.
    struct Failure: Sendable {
        var line: Int
        var problem: Problem
    }

    /// The most requests that may wait.
    package static let capacity = 1_000
    /// The most formats that are compiled in locales of readers before a request is carried out: frames wait for the rest,
    /// not requests.
    private static let localisedPerRequest = 128
    /// Formats that are compiled, and lines that are decoded, for one request before the next has its turn.
    private static let formatsPerTurn = 8
    private static let linesPerTurn = 64
    /// Batches of more lines are decoded here; shorter ones are decoded sooner than handed over.
    static let shortBatch = 256

    private let planner: LocalePlanner
    private let underWay = FormatsInFlight()
    /// Those of readers.
    private let locales = Mutex<[String]>([])
    private let waiting = Mailbox<Job>(capacity: PreparationQueue.capacity)
    private let isStopping = Atomic(false)
    private let thread = Mutex<OwnedThread?>(nil)

    package init(_ planner: LocalePlanner) {
        self.planner = planner
    }

    /// - Returns: false when no thread can be started.
    package func start() -> Bool {
        let thread = OwnedThread(name: "preparation") { [self] in
            while let job = waiting.takeFirst() { work(on: job) }
        }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    /// Refuses what waits and ends the thread.
    package func stop() {
        isStopping.store(true, ordering: .relaxed)
        waiting.close()
        thread.withLock { $0.take() }?.join()
    }

    /// Goes on with a request when its formats are compiled: at once where they are known.
    /// - Parameters:
    ///   - locale: That of the stream which is the answer.
    ///   - finish: Told what can't be taken.
    /// - Returns: false when too many wait.
    func prepare(_ uses: [FormatUse], in locale: String? = nil, finish: @escaping @Sendable ([Failure]) -> Void) -> Bool
    {
        var failures: [Failure] = []
        var new: [FormatUse] = []
        var seen: Set<NumberFormat> = []
        for use in uses {
            if seen.count >= FormatUse.maximumCount, !seen.contains(use.format) {
                failures.append(Failure(line: use.line, problem: use.isOneTooMany))
                continue
            }
            seen.insert(use.format)
            if !planner.knows(use.format) { new.append(use) }
        }
        let localised = localised(new.map(\.format), uses.map(\.format), in: locale)
        guard !new.isEmpty || !localised.isEmpty else {
            finish(failures)
            return true
        }
        return waiting.post(
            .compilation(Compilation(uses: new, localised: localised, failures: failures, finish: finish)))
    }

    /// Formats in locales of readers that are not known: new ones in all that are read, all in that of the answer.
    private func localised(_ new: [NumberFormat], _ all: [NumberFormat], in locale: String?) -> [NumberFormat] {
        var wanted = locale.map { locale in ReaderLocale.formats(locale) + all.map { $0.inLocale(locale) } } ?? []
        for locale in new.isEmpty ? [] : locales.withLock({ $0 }) {
            guard wanted.count < Self.localisedPerRequest else { break }
            wanted += new.map { $0.inLocale(locale) }
        }
        return wanted.prefix(Self.localisedPerRequest).filter { !planner.isSettled($0) }
    }

    /// Decodes the lines of a batch: at once where they are few.
    /// - Parameters:
    ///   - decode: What makes a command of a line.
    ///   - finish: Given what came of the lines, in their order.
    /// - Returns: false when too many wait.
    func decode(
        _ lines: [ArraySlice<UInt8>], by decode: @escaping @Sendable (ArraySlice<UInt8>) throws(Problem) -> Command,
        finish: @escaping @Sendable ([Result<Command, Problem>]) -> Void
    ) -> Bool {
        guard lines.count > Self.shortBatch else {
            finish(lines.map { Self.outcome(of: $0, decode) })
            return true
        }
        return waiting.post(.decoding(Decoding(lines: lines, decode: decode, finish: finish)))
    }

    private static func outcome(
        of line: ArraySlice<UInt8>, _ decode: (ArraySlice<UInt8>) throws(Problem) -> Command
    ) -> Result<Command, Problem> {
        do throws(Problem) {
            return .success(try decode(line))
        } catch {
            return .failure(error)
        }
    }

    private func work(on job: Job) {
        switch job {
        case .decoding(let decoding): work(on: decoding)
        case .compilation(let compilation): work(on: compilation)
        case .reading(let reading): work(on: reading)
        }
    }

    private func work(on reading: Reading) {
        var job = reading
        let isStopping = isStopping.load(ordering: .relaxed)
        if !isStopping { for format in job.formats.prefix(Self.formatsPerTurn) { planner.prepareForReader(format) } }
        job.formats.removeFirst(isStopping ? job.formats.count : min(Self.formatsPerTurn, job.formats.count))
        // What waits behind it comes first.
        guard job.formats.isEmpty || !waiting.post(.reading(job), urgent: true) else { return }
        if job.formats.isEmpty { return job.finish() }
        work(on: job)
    }

    private func work(on decoding: Decoding) {
        var decoding = decoding
        let isStopping = isStopping.load(ordering: .relaxed)
        let portion = decoding.lines.dropFirst(decoding.next).prefix(Self.linesPerTurn)
        decoding.commands.append(
            portion.map { isStopping ? .failure(Self.stopping) : Self.outcome(of: $0, decoding.decode) })
        decoding.next += portion.count
        let isOver = decoding.next == decoding.lines.count
        // What waits behind it comes first.
        guard isOver || !waiting.post(.decoding(decoding), urgent: true) else { return }
        if isOver { return decoding.finish(Array(decoding.commands.joined())) }
        work(on: decoding)
    }

    private static let stopping = Problem(
        503, "Service Unavailable", "the server is shutting down", retryAfter: 5)

    private func work(on compilation: Compilation) {
        var job = compilation
        if isStopping.load(ordering: .relaxed) {
            job.failures += job.uses.map { Failure(line: $0.line, problem: Self.stopping) }
            (job.uses, job.localised) = ([], [])
        }
        for format in job.localised.prefix(Self.formatsPerTurn) { planner.prepareForReader(format) }
        job.localised.removeFirst(min(Self.formatsPerTurn, job.localised.count))
        for use in job.uses.prefix(Self.formatsPerTurn) {
            do throws(CommandError) {
                try planner.prepare(use.format)
            } catch {
                job.failures.append(Failure(line: use.line, problem: use.problem(error)))
            }
        }
        job.uses.removeFirst(min(Self.formatsPerTurn, job.uses.count))
        // What waits behind it comes first.
        let isOver = job.uses.isEmpty && job.localised.isEmpty
        guard isOver || !waiting.post(.compilation(job), urgent: true) else { return }
        if isOver { return job.finish(job.failures) }
        work(on: job)
    }
}

extension PreparationQueue: ReaderPlanner {
    package func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        try planner.plan(for: format, decimals: decimals)
    }

    package func words(in locale: String) throws(CommandError) -> TimeWords { try planner.words(in: locale) }

    package func setLocales(_ locales: [String]) { self.locales.withLock { $0 = locales } }

    package func knows(_ formats: [NumberFormat]) -> Bool { formats.allSatisfy(planner.isSettled) }

    package func compile(_ formats: [NumberFormat]) {
        let new = underWay.begin(formats)
        guard !new.isEmpty else { return }
        if !prepare(new, finish: { [underWay] in underWay.end(new) }) { underWay.end(new) }
    }

    package func prepare(_ formats: [NumberFormat], finish: @escaping @Sendable () -> Void) -> Bool {
        waiting.post(.reading(Reading(formats: formats, finish: finish)))
    }
}

/// Formats that are being compiled for readers' frames: none is begun twice.
private final class FormatsInFlight: Sendable {
    /// The most at a time; what comes beyond is begun when it is asked for again.
    private static let capacity = 256

    private let formats = Mutex<Set<NumberFormat>>([])

    /// - Returns: Those that were not under way, and are now.
    func begin(_ wanted: [NumberFormat]) -> [NumberFormat] {
        formats.withLock { formats in
            formats.count < Self.capacity ? wanted.filter { formats.insert($0).inserted } : []
        }
    }

    func end(_ done: [NumberFormat]) { formats.withLock { $0.subtract(done) } }
}

extension NumberFormat {
    /// The same format in another locale.
    fileprivate func inLocale(_ locale: String) -> NumberFormat {
        var format = self
        format.locale = locale
        return format
    }
}
