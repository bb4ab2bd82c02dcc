// Batches whose motions start one after another.

import Board
import Wire

/// `?stagger`: seconds between the motions of consecutive lines.
enum Stagger {
    static let pointer = "?stagger"

    /// - Parameter text: The parameter; nil for none, which is 0.
    /// - Throws: 422 for an invalid number of seconds.
    static func seconds(_ text: String?) throws(Problem) -> Double {
        guard let text else { return 0 }
        guard let seconds = ParameterNumber.value(of: text), (0...TrackUpdate.maximumSeconds).contains(seconds) else {
            throw .field(pointer, "must be seconds between 0 and 31536000")
        }
        return seconds
    }

    /// Delays a line's motion by this time for each line before it. Other operations aren't delayed, but count as lines.
    /// - Throws: 422 for a line that would begin in more than a year.
    static func apply(_ seconds: Double, to command: Command, at index: Int) throws(Problem) -> Command {
        guard seconds > 0, case .update(let name, var update) = command else { return command }
        update.lead += Double(index) * seconds
        guard update.lead <= TrackUpdate.maximumSeconds else {
            throw .field(
                pointer, "this line would begin later than 31536000 seconds from now; give fewer seconds")
        }
        return .update(name, update)
    }
}
