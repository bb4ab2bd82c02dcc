// Prepares requests that would keep a worker from its other connections for too long: decodes long batches and compiles new
// number formats. Runs on its own thread, a part of each request in turn.

package import Board
package import Labels
import OperatingSystem
import Synchronization
import Wire

/// Prepares requests for the tick thread.
package final class PreparationQueue: Sendable {
    /// Lines of a batch to be decoded.
    private struct Decoding: Sendable {
        let lines: [ArraySlice<UInt8>]
        var next = 0
        /// The results so far, one list for each turn, so that a turn copies no earlier ones.
        var commands: [[Result<Command, Problem>]] = []
        let decode: @Sendable (Int, ArraySlice<UInt8>) throws(Problem) -> Command
        /// Continues the request, on the queue's thread.
        let finish: @Sendable ([Result<Command, Problem>]) -> Void
    }

    /// A request with formats to be compiled.
    private struct Compilation: Sendable {
        /// Formats that are not in the cache.
        var uses: [FormatUse]
        /// The formats in readers' locales. One that can't be compiled there is shown in the publisher's.
        var localised: [NumberFormat]
        var failures: [Failure] = []
        /// Continues the request, on the queue's thread.
        let finish: @Sendable ([Failure]) -> Void
    }

    /// Formats to be compiled for a reader.
    private struct Reading: Sendable {
        var formats: [NumberFormat]
        /// Called on the queue's thread.
        let finish: @Sendable () -> Void
    }

    private enum Job: Sendable {
        case decoding(Decoding)
        case compilation(Compilation)
        case reading(Reading)
    }

    /// A format that can't be compiled.
    struct Failure: Sendable {
        var line: Int
        var problem: Problem
    }

    /// The most requests that may wait.
    package static let capacity = 1_000
    /// The most formats compiled in readers' locales before a request runs. The rest is compiled later; only frames wait for
    /// it.
    private static let localisedPerRequest = 128
    /// Formats compiled, or lines decoded, for one request in a turn.
    private static let formatsPerTurn = 8
    private static let linesPerTurn = 64
    /// Batches with more lines are decoded here. Decoding shorter ones takes less time than passing them on.
    static let shortBatch = 256

    private let planner: LocalePlanner
    private let underWay = FormatsInFlight()
    /// The locales of readers.
    private let locales = Mutex<[String]>([])
    private let waiting = Mailbox<Job>(capacity: PreparationQueue.capacity)
    private let isStopping = Atomic(false)
    private let thread = Mutex<OwnedThread?>(nil)

    package init(_ planner: LocalePlanner) {
        self.planner = planner
    }

    /// - Returns: false if no thread can be started.
    package func start() -> Bool {
        let thread = OwnedThread(name: "preparation") { [self] in
            while let job = waiting.receiveFirst() { work(on: job) }
        }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    /// Whether a request waits.
    package var hasWaiting: Bool { waiting.count > 0 }

    /// Works on what waits, for a service without threads.
    package func runWaiting() {
        while hasWaiting, let job = waiting.receiveFirst() { work(on: job) }
    }

    /// Rejects waiting requests and ends the thread.
    package func stop() {
        isStopping.store(true, ordering: .relaxed)
        waiting.close()
        thread.withLock { $0.take() }?.join()
    }

    /// Continues a request when its formats are compiled: at once if all are in the cache.
    /// - Parameters:
    ///   - locale: The locale of the stream that is the response.
    ///   - finish: Receives the formats that can't be compiled.
    /// - Returns: false if too many are waiting.
    func prepare(_ uses: [FormatUse], in locale: String? = nil, finish: @escaping @Sendable ([Failure]) -> Void) -> Bool
    {
        var failures: [Failure] = []
        var new: [FormatUse] = []
        var seen: Set<NumberFormat> = []
        for use in uses {
            if seen.count >= FormatUse.maximumCount, !seen.contains(use.format) {
                failures.append(Failure(line: use.line, problem: use.tooManyProblem))
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

    /// Returns formats in readers' locales that are not in the cache: new formats in all locales, all formats in that of the
    /// response.
    private func localised(_ new: [NumberFormat], _ all: [NumberFormat], in locale: String?) -> [NumberFormat] {
        var wanted = locale.map { locale in ReaderLocale.formats(locale) + all.map { $0.inLocale(locale) } } ?? []
        for locale in new.isEmpty ? [] : locales.withLock({ $0 }) {
            guard wanted.count < Self.localisedPerRequest else { break }
            wanted += new.map { $0.inLocale(locale) }
        }
        return wanted.prefix(Self.localisedPerRequest).filter { !planner.isSettled($0) }
    }

    /// Decodes the lines of a batch: at once if they are few.
    /// - Parameters:
    ///   - decode: Makes a command from a line and its index.
    ///   - finish: Receives the results in the order of the lines.
    /// - Returns: false if too many are waiting.
    func decode(
        _ lines: [ArraySlice<UInt8>],
        by decode: @escaping @Sendable (Int, ArraySlice<UInt8>) throws(Problem) -> Command,
        finish: @escaping @Sendable ([Result<Command, Problem>]) -> Void
    ) -> Bool {
        guard lines.count > Self.shortBatch else {
            finish(lines.enumerated().map { Self.outcome(of: $1, at: $0, decode) })
            return true
        }
        return waiting.post(.decoding(Decoding(lines: lines, decode: decode, finish: finish)))
    }

    private static func outcome(
        of line: ArraySlice<UInt8>, at index: Int, _ decode: (Int, ArraySlice<UInt8>) throws(Problem) -> Command
    ) -> Result<Command, Problem> {
        do throws(Problem) {
            return .success(try decode(index, line))
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
        // Other waiting work comes first.
        guard job.formats.isEmpty || !waiting.post(.reading(job), urgent: true) else { return }
        if job.formats.isEmpty { return job.finish() }
        work(on: job)
    }

    private func work(on decoding: Decoding) {
        var decoding = decoding
        let isStopping = isStopping.load(ordering: .relaxed)
        let portion = decoding.lines.dropFirst(decoding.next).prefix(Self.linesPerTurn)
        decoding.commands.append(
            zip(portion.indices, portion).map { index, line in
                isStopping ? .failure(Self.stopping) : Self.outcome(of: line, at: index, decoding.decode)
            })
        decoding.next += portion.count
        let isOver = decoding.next == decoding.lines.count
        // Other waiting work comes first.
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
        // Other waiting work comes first.
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

/// Formats being compiled for readers' frames, so that none is compiled twice.
private final class FormatsInFlight: Sendable {
    /// The most at a time. Others are compiled when a later frame needs them.
    private static let capacity = 256

    private let formats = Mutex<Set<NumberFormat>>([])

    /// - Returns: The formats that were not in progress, and are now.
    func begin(_ wanted: [NumberFormat]) -> [NumberFormat] {
        formats.withLock { formats in
            formats.count < Self.capacity ? wanted.filter { formats.insert($0).inserted } : []
        }
    }

    func end(_ done: [NumberFormat]) { formats.withLock { $0.subtract(done) } }
}

extension NumberFormat {
    /// Returns the same format in another locale.
    fileprivate func inLocale(_ locale: String) -> NumberFormat {
        var format = self
        format.locale = locale
        return format
    }
}
