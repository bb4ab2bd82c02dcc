// A flag: its name, argument, target and help.

import Base
import ReplicationRedis
import TweencastService

/// A flag.
struct Flag: Sendable {
    /// A given value and its origin: a flag, the environment or the file.
    struct Value: Sendable {
        let text: String
        let origin: String

        /// The value without the password of an address, for display.
        var shown: String {
            guard text.contains("://"), let store = try? store else { return text }
            return "\(store)"
        }

        /// The items between commas.
        var list: [String] { text.split(separator: ",").map(String.init) }

        func whole(_ range: ClosedRange<Int>) throws(CommandLineOptions.Refusal) -> Int {
            guard let number = Int(text), range.contains(number) else {
                throw refusal("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }

        /// A path without its final slash; empty for the root, nil if it is not a path.
        var basePath: String? {
            let path = text.hasSuffix("/") ? String(text.dropLast()) : text
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            guard text.hasPrefix("/"), segments.dropFirst().allSatisfy(Self.isSegment) else { return nil }
            return path
        }

        /// Returns whether a text is a path segment that needs no escaping and is not `.` or `..`.
        private static func isSegment(_ text: Substring) -> Bool {
            !["", ".", ".."].contains(text)
                && text.utf8.allSatisfy { byte in
                    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
                        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-._~".utf8.contains(byte)
                }
        }

        /// Whether a switch is on. Any other word is rejected, since a typo must not turn on a switch that lets everyone in.
        var truth: Bool {
            get throws(CommandLineOptions.Refusal) {
                switch text.lowercased() {
                case "1", "true", "yes", "on": return true
                case "0", "false", "no", "off", "": return false
                default: throw refusal("true or false")
                }
            }
        }

        /// The location of the store.
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
            CommandLineOptions.Refusal(message: "\(origin): must be \(expected)\(text.isEmpty ? "" : ", not \(text)")")
        }
    }

    typealias Setter = @Sendable (inout CommandLineOptions, Value) throws(CommandLineOptions.Refusal) -> Void

    /// Without the leading `--`.
    let name: String
    /// What it sets; shared by flags that set the same.
    let subject: String
    /// Whether its value must not be shown.
    let isSecret: Bool
    /// Whether it can change while the server runs.
    private(set) var isReloadable = false
    /// Whether a configuration file may set it.
    private(set) var canStandInFile = true
    /// Its argument's name in the help; nil for a switch.
    let argument: String?
    /// The only words it accepts; empty for any value.
    private(set) var words: [String] = []
    let help: String
    let set: Setter

    /// - Parameters:
    ///   - help: Its meaning and default, in one or more lines.
    ///   - subject: What it sets; nil if no other flag sets the same.
    init(
        _ name: String, _ argument: String?, _ help: String, subject: String? = nil, isSecret: Bool = false,
        set: @escaping Setter
    ) {
        self.name = name
        self.subject = subject ?? name
        self.isSecret = isSecret
        self.argument = argument
        self.help = help
        self.set = set
    }

    /// This flag, changeable while the server runs.
    var reloadable: Flag {
        var flag = self
        flag.isReloadable = true
        return flag
    }

    /// The same flag, not allowed in configuration files.
    var outsideFiles: Flag {
        var flag = self
        flag.canStandInFile = false
        return flag
    }

    /// The equivalent environment variable.
    var variable: String { Self.variablePrefix + name.uppercased().split(separator: "-").joined(separator: "_") }

    /// The prefix of those variables.
    static let variablePrefix = "TWEENCAST_"

    // MARK: - Lists and words

    /// A list of web origins.
    static func origins(
        _ name: String, _ field: any (WritableKeyPath<CommandLineOptions, [String]> & Sendable), _ help: String
    ) -> Flag {
        Flag(name, "URLS", help) { (options, value) throws(CommandLineOptions.Refusal) in
            guard value.list.allSatisfy(ServiceConfiguration.isOrigin) else {
                throw value.refusal("origins such as https://app.example.com and https://*.example.com, or *")
            }
            options[keyPath: field] += value.list
        }
    }

    /// One of a few words in lower case; the value may have any case.
    static func choice<Choice>(
        _ name: String, _ argument: String, among choices: [Choice],
        _ help: String, named word: @escaping @Sendable (Choice) -> String,
        set: @escaping @Sendable (inout CommandLineOptions, Choice) -> Void
    ) -> Flag where Choice: Sendable {
        let words = choices.map(word)
        var flag = Flag(name, argument, help) { (options, value) throws(CommandLineOptions.Refusal) in
            guard let index = words.firstIndex(of: value.text.lowercased()) else {
                throw value.refusal(words.dropLast().joined(separator: ", ") + " or " + (words.last ?? ""))
            }
            set(&options, choices[index])
        }
        flag.words = words
        return flag
    }

    // MARK: - Numbers

    /// An integer within a range. The help shows the default configuration's value.
    static func whole(
        _ name: String, _ range: ClosedRange<Int>, _ field: any (WritableKeyPath<CommandLineOptions, Int> & Sendable),
        _ help: String, shows shown: String? = nil
    ) -> Flag {
        Flag(name, "N", "\(help) (default \(shown ?? "\(CommandLineOptions.standard[keyPath: field])"))") {
            (options, value) throws(CommandLineOptions.Refusal) in
            options[keyPath: field] = try value.whole(range)
        }
    }

    /// A time in whole units.
    /// - Parameter unit: Seconds per unit.
    static func time(
        _ name: String, _ range: ClosedRange<Int>,
        _ field: any (WritableKeyPath<CommandLineOptions, Double> & Sendable),
        unit: Double = 1, _ help: String
    ) -> Flag {
        let standard = Int(saturating: (CommandLineOptions.standard[keyPath: field] / unit).rounded())
        return Flag(name, "N", "\(help) (default \(standard))") { (options, value) throws(CommandLineOptions.Refusal) in
            options[keyPath: field] = Double(try value.whole(range)) * unit
        }
    }
}
