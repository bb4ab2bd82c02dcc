// The way to the tick thread: its mailbox, and whether it is worth waiting for.

import Gateway
import OperatingSystem
import Wire

/// Gives the tick thread requests, from any thread.
struct TickQueue: RequestQueue {
    let inbox: Mailbox<Message>
    let watch: TickWatch
    let clock: ServiceClock
    let boardUnavailability: BoardUnavailability

    var absence: String? { boardUnavailability.reason }

    func take(_ asked: ServiceRequest) -> Problem? {
        if let absence {
            return Problem(
                503, "Service Unavailable", "the board is not loaded yet: \(absence); try again in a moment",
                retryAfter: 5)
        }
        let now = clock.monotonic()
        // Whoever waited for a thread that is stuck would wait as long as it is.
        guard watch.stuck(at: now) == nil else {
            return Problem(
                503, "Service Unavailable", "the server is not responding; try again in a moment", retryAfter: 5)
        }
        watch.expect(at: now)
        return inbox.post(.asked(asked)) ? nil : Application.crowded
    }

    var secondsStuck: Double? { watch.stuck(at: clock.monotonic()) }
}
