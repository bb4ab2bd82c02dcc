// Starts the demo: its requests take the same path as any client's.

import Board
import Gateway
import HTTPTransport
import Machine
import RecurrenceRules
import Wire

extension Demo {
    /// Posts the opening requests. Existing resources stay as they are: the store restored them, or another replica was
    /// first.
    static func start(_ take: (ServiceRequest) -> Problem?) {
        func make(_ command: Command) {
            var request = CommandRequest(command, as: .noContent)
            request.precondition = .absent
            _ = take(.change(.command(request), nil))
        }
        for (name, json) in updates {
            do throws(Problem) {
                make(.update(name, try UpdateDecoder.update(Array(json.utf8), kind: name.kind, role: .update)))
            } catch {
                preconditionFailure("the demo's \(name.id): \(error.detail)")
            }
        }
        for (name, json) in schedules {
            do throws(Problem) {
                let definition = try ScheduleDecoder.definition(Array(json.utf8), rules: ZonedCalendar())
                make(.schedule(name, definition.definition))
            } catch {
                preconditionFailure("the demo's \(name.id): \(error.detail)")
            }
        }
    }
}
