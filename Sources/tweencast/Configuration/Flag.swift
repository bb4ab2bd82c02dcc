// What a flag is: a name, what it takes, what it sets, and what the help says of it.

import Base
import ReplicationRedis
import TweencastService

/// A flag.
struct Flag: Sendable {
    /// What was given, and where: by a flag or in the environment.
    struct Value: Sendable {
        let text: String
        let origin: String

        /// As it may be shown: without the password of an address.
        var shown: String {
            guard text.contains("://"), let store = try? store else { return text }
            return "\(store)"
        }

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

        /// Whether a switch is on. What is neither is refused: one that lets everybody in must not be on by mistake.
        var truth: Bool {
            get throws(CommandLineOptions.Refusal) {
                switch text.lowercased() {
                case "1", "true", "yes", "on": return true
                case "0", "false", "no", "off", "": return false
                default: throw refusal("true or false")
                }
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
            CommandLineOptions.Refusal(message: "\(origin): must be \(expected)\(text.isEmpty ? "" : ", not \(text)")")
        }
    }

    typealias Setter = @Sendable (inout CommandLineOptions, Value) throws(CommandLineOptions.Refusal) -> Void

    /// As it stands after `--`.
    let name: String
    /// What is set by it, where other flags set the same.
    let subject: String
    /// Whether its value is for nobody to read.
    let isSecret: Bool
    /// Whether it may be set anew while the server runs.
    private(set) var isReloadable = false
    /// What it takes, as the help calls it; nil for a switch.
    let argument: String?
    /// The words that it takes, where there are no others.
    private(set) var words: [String] = []
    let help: String
    let set: Setter

    /// - Parameters:
    ///   - help: What it means, with its default; more than one line where it needs them.
    ///   - subject: What is set by it; nil where no other flag sets the same.
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

    /// This flag, which may be set anew while the server runs.
    var reloadable: Flag {
        var flag = self
        flag.isReloadable = true
        return flag
    }

    /// The environment variable that stands for the flag.
    var variable: String { Self.variablePrefix + name.uppercased().split(separator: "-").joined(separator: "_") }

    /// What the names of such variables begin with.
    static let variablePrefix = "TWEENCAST_"

    // MARK: - Lists and words

    /// Origins of pages.
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

    /// One of a few words, in lower case, however they are given.
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
}
