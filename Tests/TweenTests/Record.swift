// What observers were told, from whatever task.

import Synchronization

/// What an animation told its observers.
final class Record<Value: Sendable>: Sendable {
    private let state = Mutex<(values: [Value], conclusions: [Bool])>(([], []))

    var values: [Value] { state.withLock { $0.values } }
    var conclusions: [Bool] { state.withLock { $0.conclusions } }

    func note(_ value: Value) { state.withLock { $0.values.append(value) } }
    func conclude(_ finished: Bool) { state.withLock { $0.conclusions.append(finished) } }
}
