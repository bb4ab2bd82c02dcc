// What a machine makes of its inputs, as text: processes that are given the same must say the same, though they hash
// differently, and though some of them are written down and read back now and then.

import Base
import Board

@main
enum Turns {
    private static let usage = """
        usage: turns SEED COUNT [EVERY]         random turns, going on from a snapshot after every so many
               turns record FILE SEED DAYS      a log of so many days
               turns replay FILE [EVERY]        the same log, going on from a snapshot after every so many entries
        """

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let numbers = arguments.compactMap { UInt64($0) }
        // Differs from process to process; else nothing would be shown.
        print("hash \(ResourceName(.ticker, "a").hashValue)")
        switch arguments.first {
        case "record" where arguments.count == 4 && numbers.count == 2:
            try LogRecorder(seed: numbers[0], days: numbers[1]).record(to: arguments[1])
        case "replay" where arguments.count >= 2:
            try LogReplay.tell(LogFile(arguments[1]), restoring: numbers.first)
        case _? where (2...3).contains(numbers.count) && numbers.count == arguments.count:
            tellTurns(seed: numbers[0], count: numbers[1], every: numbers.count == 3 ? numbers[2] : .max)
        default: print(usage)
        }
    }

    private static func tellTurns(seed: UInt64, count: UInt64, every: UInt64) {
        var script = RandomTurns(seed: seed)
        for number in 1...count {
            script.take()
            if number % every == 0 { script.restore() }
        }
        script.tellAll()
    }
}
