// One line animates the number inside a label. The text around it stays; a second call goes on from what is shown.

import Labels
public import Tween

/// The motion of the number in a label's text.
///
///     Ticker.animate(label, to: 250)
///
/// The label is held weakly: one that goes takes its motion with it. All of it lives on the main actor.
@MainActor
public final class Ticker {
    /// Where the number is on its way.
    public enum State: Hashable, Sendable {
        case running, paused, finished, cancelled
    }

    /// What moves on which label now.
    private static var running: [ObjectIdentifier: Ticker] = [:]

    public private(set) var state = State.running
    private weak var label: (any TextLabel)?
    private let identity: ObjectIdentifier
    private let clock: any FrameClock
    private let settings: Settings
    private let predecessor: Ticker?
    private var completion: (@MainActor (Bool) -> Void)?
    private var motion: Motion?
    private var shown: TickerLabel
    /// The text written last: another one is somebody else's, and a new start.
    private var lastText: String
    private var task: Task<Void, Never>?

    private struct Settings {
        var target: ExactDecimal
        var duration: Double
        var easing: Easing
        var spring: Spring?
        var framesPerSecond: Double
    }

    /// Animates the number in a label's text to a number.
    ///
    /// The first number of the text moves (a label without one becomes the number), shown with as many decimals in every
    /// frame as the target has, unless `decimals` says otherwise. While the label's number is on its way already, the
    /// motion goes on from the unrounded value and with its velocity, and the first completion is told `false`.
    ///
    /// - Parameters:
    ///   - duration: seconds; has no meaning with a spring.
    ///   - spring: moves by a spring in place of the easing.
    ///   - decimals: digits after the point, 0...20.
    ///   - completion: called once, after the last text: true at the end, false when it was cut off.
    /// - Returns: The running motion, to pause, resume, finish or cancel; nil for a number that no label can show.
    @discardableResult
    public static func animate(
        _ label: some TextLabel, to target: some TickerTarget, duration: Double = 2, easing: Easing = .linear,
        spring: Spring? = nil, decimals: Int? = nil, framesPerSecond: Double = 60,
        on clock: any FrameClock = SystemClock(),
        completion: (@MainActor (Bool) -> Void)? = nil
    ) -> Ticker? {
        guard let exact = target.exact else { return nil }
        let settings = Settings(
            target: exact, duration: duration.isFinite ? max(0, duration) : 0, easing: easing, spring: spring,
            framesPerSecond: framesPerSecond >= 1 ? min(framesPerSecond, 1_000) : 60)
        let ticker = Ticker(label, settings, decimals: decimals ?? exact.scale, clock: clock, completion)
        ticker.begin()
        return ticker
    }

    private init(
        _ label: any TextLabel, _ settings: Settings, decimals: Int, clock: any FrameClock,
        _ completion: (@MainActor (Bool) -> Void)?
    ) {
        self.label = label
        self.settings = settings
        self.clock = clock
        self.completion = completion
        identity = ObjectIdentifier(label)
        lastText = label.text
        let known = Self.running[identity]
        predecessor = known?.label === label && known?.lastText == label.text ? known : nil
        // The text was taken apart when it was set, not when it was the ticker's own output.
        shown = predecessor?.shown ?? TickerLabel(label.text)
        shown.plan = shown.isGrouped ? .grouped(decimals: decimals) : .plain(decimals: decimals)
    }

    private func begin() {
        let previous = Self.running[identity]
        Self.running[identity] = self
        if previous !== self { previous?.stop(.cancelled) }
        task = Task { @MainActor [weak self] in
            guard let clock = self?.clock else { return }
            _ = await clock.attend { [weak self] in
                while let deadline = await self?.step() {
                    do { try await clock.sleep(until: deadline) } catch { return false }
                }
                return true
            }
        }
    }

    // MARK: - Control

    /// Holds the number where it is.
    public func pause() async {
        guard state == .running else { return }
        let now = await clock.now
        motion?.pause(at: now)
        state = .paused
        task?.cancel()
    }

    /// Goes on from where it was held.
    public func resume() async {
        guard state == .paused else { return }
        let now = await clock.now
        motion?.resume(at: now)
        state = .running
        begin()
    }

    /// Stops where it is.
    public func cancel() { stop(.cancelled) }

    /// Goes to the end at once.
    public func finish() {
        guard state == .running || state == .paused else { return }
        write(shown.text(of: settings.target))
        stop(.finished)
    }

    // MARK: - Frames

    /// Shows the frame of now.
    /// - Returns: When the next one is due; nil when there is none.
    private func step() async -> Instant? {
        let now = await clock.now
        guard state == .running, !Task.isCancelled else { return nil }
        // Whoever replaced the text meant it.
        guard let label, label.text == lastText else {
            stop(.cancelled)
            return nil
        }
        let motion = motion ?? start(at: now)
        self.motion = motion
        guard !motion.isComplete(at: now) else {
            write(shown.text(of: settings.target))
            stop(.finished)
            return nil
        }
        var bytes: [UInt8] = []
        shown.append(motion.value(at: now), to: &bytes)
        write(String(decoding: bytes, as: UTF8.self))
        // On a timetable from the start, so that frames don't drift.
        let start = motion.playback.start
        let passed = (now.seconds(since: start) * settings.framesPerSecond + 1e-6).rounded(.down)
        let frame = start.advanced(bySeconds: (passed + 1) / settings.framesPerSecond)
        return motion.end.map { min(frame, $0) } ?? frame
    }

    /// From where the label's last motion is, with its velocity; else from the number in the text.
    private func start(at now: Instant) -> Motion {
        let end = settings.target.double
        let course: Motion.Course =
            settings.spring.map { .spring($0, delay: 0, endDelay: 0, threshold: shown.plan.halfUnit) }
            ?? .timed(Timing(duration: settings.duration, easing: settings.easing))
        if let before = predecessor?.motion {
            return before.retargeted(to: end, course: course, at: now, clamped: false)
        }
        return Motion(from: shown.number?.double ?? 0, to: end, course: course, startingAt: now)
    }

    private func write(_ text: String) {
        guard let label, label.text != text else { return }
        label.text = text
        lastText = text
    }

    private func stop(_ state: State) {
        guard self.state == .running || self.state == .paused else { return }
        self.state = state
        task?.cancel()
        if Self.running[identity] === self { Self.running[identity] = nil }
        let completion = completion
        self.completion = nil
        completion?(state == .finished)
    }
}
