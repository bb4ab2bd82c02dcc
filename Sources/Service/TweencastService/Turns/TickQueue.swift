// The queue to the tick thread; rejects requests while that thread is stuck or has no board.

import Gateway
import OperatingSystem
import Wire

/// Passes requests to the tick thread. Any thread may use it.
struct TickQueue: RequestQueue {
    let inbox: Mailbox<Message>
    let watch: TickWatch
    let clock: ServiceClock
    let boardUnavailability: BoardUnavailability

    var absence: String? { boardUnavailability.reason }

    func submit(_ asked: ServiceRequest) -> Problem? {
        if let absence {
            return Problem(
                503, "Service Unavailable", "the board is not loaded yet: \(absence); try again in a moment",
                retryAfter: 5)
        }
        let now = clock.monotonic()
        // A request would wait as long as the thread is stuck.
        guard watch.stuck(at: now) == nil else {
            return Problem(
                503, "Service Unavailable", "the server is not responding; try again in a moment", retryAfter: 5)
        }
        watch.expect(at: now)
        return inbox.post(.asked(asked)) ? nil : Application.busy
    }

    var secondsStuck: Double? { watch.stuck(at: clock.monotonic()) }
}
