// The demo's start: its requests go the way that every client's go.

import Board
import Calendars
import Gateway
import HTTPTransport
import Machine
import Wire

extension Demo {
    /// Posts the opening requests; a resource that the store brought back keeps its state.
    static func start(_ take: (Asked) -> Problem?) {
        for (name, json) in updates {
            do throws(Problem) {
                let update = try UpdateDecoder.update(Array(json.utf8), kind: name.kind, role: .update)
                _ = take(.command(CommandRequest(.update(name, update), as: .noContent), nil, stream: nil))
            } catch {
                preconditionFailure("the demo's \(name.id): \(error.detail)")
            }
        }
        for (name, json) in schedules {
            do throws(Problem) {
                let definition = try ScheduleDecoder.definition(Array(json.utf8), rules: ZonedCalendar())
                _ = take(
                    .command(
                        CommandRequest(.schedule(name, definition.definition), as: .noContent), nil, stream: nil))
            } catch {
                preconditionFailure("the demo's \(name.id): \(error.detail)")
            }
        }
    }
}
