// Batches whose motions start one after another.

import Board
import Wire

/// `?stagger`: seconds between the motions of consecutive lines.
enum Stagger {
    /// - Parameter text: The parameter; nil for none, which is 0.
    /// - Throws: 422 for an invalid number of seconds.
    static func seconds(_ text: String?) throws(Problem) -> Double {
        guard let text else { return 0 }
        guard let seconds = ParameterNumber.value(of: text), (0...TrackUpdate.maximumSeconds).contains(seconds) else {
            throw .field("?stagger", "must be seconds between 0 and 31536000")
        }
        return seconds
    }

    /// Delays each line's motion by this time more than the line before. Other operations aren't delayed, but count as
    /// lines.
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
