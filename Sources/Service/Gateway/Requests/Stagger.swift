// Batches whose motions set out one after another.

import Board
import HTTPTransport
import Wire

/// `?stagger`: the seconds from the motion of one line to that of the next.
enum Stagger {
    /// - Throws: 422 for what is no number of seconds.
    static func seconds(_ request: HTTPRequest) throws(Problem) -> Double {
        guard let text = request.query("stagger") else { return 0 }
        guard let seconds = Double(text), (0...TrackUpdate.maximumSeconds).contains(seconds) else {
            throw .field("?stagger", "must be seconds between 0 and 31536000")
        }
        return seconds
    }

    /// Lines each of which begins its motion so much later than the one before; operations are not delayed, but count.
    static func apply(_ seconds: Double, to lines: inout [Result<Command, Problem>]) {
        guard seconds > 0 else { return }
        for index in lines.indices {
            guard case .success(.update(let name, var update)) = lines[index] else { continue }
            update.lead += Double(index) * seconds
            guard update.lead <= TrackUpdate.maximumSeconds else {
                lines[index] = .failure(
                    .field("?stagger", "this line would begin later than 31536000 seconds from now; give fewer seconds")
                )
                continue
            }
            lines[index] = .success(.update(name, update))
        }
    }
}
