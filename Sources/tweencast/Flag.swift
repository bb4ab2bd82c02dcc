// What a flag is: a name, what it takes, what it sets, and what the help says of it.

import Conversions
import RedisLink

/// A flag.
struct Flag: Sendable {
    /// What was given, and where: by a flag or in the environment.
    struct Value: Sendable {
        let text: String
        let origin: String

        /// The items between the commas.
        var list: [String] { text.split(separator: ",").map(String.init) }

        func whole(_ range: ClosedRange<Int>) throws(CommandLineOptions.Refusal) -> Int {
            guard let number = Int(text), range.contains(number) else {
                throw refusal("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }

        /// A path without its last slash; nil for what is none, and empty for the root.
        var basePath: String? {
            let path = text.hasSuffix("/") ? String(text.dropLast()) : text
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            guard text.hasPrefix("/"), segments.dropFirst().allSatisfy(Self.isSegment) else { return nil }
            return path
        }

        /// Whether a text is a path's segment that is written as it is, and leads nowhere else.
        private static func isSegment(_ text: Substring) -> Bool {
            !["", ".", ".."].contains(text)
                && text.utf8.allSatisfy { byte in
                    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
                        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-._~".utf8.contains(byte)
                }
        }

        /// Where state is kept.
        var store: CommandLineOptions.StoreLocation {
            get throws(CommandLineOptions.Refusal) {
                if text.hasPrefix("sqlite:"), text.count > 7 { return .folder(String(text.dropFirst(7))) }
                guard text.contains("://") else {
                    throw CommandLineOptions.Refusal(message: "\(origin): must be sqlite:FOLDER or redis://…")
                }
                do throws(RedisAddressError) {
                    return .redis(try RedisAddress(text))
                } catch {
                    throw CommandLineOptions.Refusal(message: "\(origin): \(error.text)")
                }
            }
        }

        func refusal(_ expected: String) -> CommandLineOptions.Refusal {
            CommandLineOptions.Refusal(message: "\(origin): must be \(expected), not \(text)")
        }
    }

    typealias Setter = @Sendable (inout CommandLineOptions, Value) throws(CommandLineOptions.Refusal) -> Void

    /// As it stands after `--`.
    let name: String
    /// What it takes, as the help calls it; nil for a switch.
    let argument: String?
    let help: String
    let set: Setter

    /// - Parameter help: What it means, with its default; more than one line where it needs them.
    init(_ name: String, _ argument: String?, _ help: String, set: @escaping Setter) {
        self.name = name
        self.argument = argument
        self.help = help
        self.set = set
    }

    /// The environment variable that stands for the flag.
    var variable: String { "TWEENCAST_" + name.uppercased().split(separator: "-").joined(separator: "_") }

    // MARK: - Numbers

    /// A whole number within a range. The help shows the default that the configuration has.
    static func whole(
        _ name: String, _ range: ClosedRange<Int>, _ field: any (WritableKeyPath<CommandLineOptions, Int> & Sendable),
        _ help: String, shows shown: String? = nil
    ) -> Flag {
        Flag(name, "N", "\(help) (\(shown ?? "\(CommandLineOptions.standard[keyPath: field])"))") {
            (options, value) throws(CommandLineOptions.Refusal) in
            options[keyPath: field] = try value.whole(range)
        }
    }

    /// A time in whole units.
    /// - Parameter unit: Seconds of a unit.
    static func time(
        _ name: String, _ range: ClosedRange<Int>,
        _ field: any (WritableKeyPath<CommandLineOptions, Double> & Sendable),
        unit: Double = 1, _ help: String
    ) -> Flag {
        let standard = Int(saturating: (CommandLineOptions.standard[keyPath: field] / unit).rounded())
        return Flag(name, "N", "\(help) (\(standard))") { (options, value) throws(CommandLineOptions.Refusal) in
            options[keyPath: field] = Double(try value.whole(range)) * unit
        }
    }

    // MARK: - Help

    private static let column = 25

    /// What `--help` prints.
    static var text: String {
        """
        tweencast [serve] [flags]   run the server
        tweencast health [flags]    exit 0 when the server on --host and --port is healthy
        tweencast backup FILE [--data FOLDER]
                                    copy the store into a new file; the server may run
        tweencast copy --from URL --to URL
                                    copy a board to where there is none, places as --store has them;
                                    nobody may serve it meanwhile
        tweencast token [--name TEXT] [--publish TOPICS] [--subscribe TOPICS] [--admin] [--for SECONDS]
                                    print a JWT signed with a key of --auth; without a key a token, and
                                    its entry for the file of tokens
        tweencast version

        \(all.map(\.helpLines).joined(separator: "\n"))

        Every flag can be given as an environment variable: TWEENCAST_TICK_RATE=30.
        """
    }

    private var helpLines: String {
        let head = "  --\(name)\(argument.map { " " + $0 } ?? "") "
        let indent = String(repeating: " ", count: Self.column)
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + indent)
        return head + String(repeating: " ", count: max(0, Self.column - head.count)) + lines
    }
}
