// Settings and their places. The command line overrides the environment, and that overrides the configuration file. A
// setting in a higher place replaces all of lower places, lists included.

/// One value of a flag.
struct Setting: Sendable {
    /// Where it was set, in ascending precedence.
    enum Place: Int, Comparable, Sendable {
        case file, environment, commandLine

        static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }
    }

    let flag: Flag
    let value: Flag.Value
    let place: Place
    /// Whether it turns a switch off, which is also the default.
    var isOff = false
}

/// All settings, in order.
struct Settings: Sendable {
    private(set) var all: [Setting] = []

    mutating func add(_ setting: Setting) { all.append(setting) }

    /// The effective settings, in ascending precedence. Within one place, the last of several wins.
    var inForce: [Setting] {
        // A switch that is turned off doesn't affect other flags of its subject.
        let ofFlags = highest(all) { $0.flag.name }
        let standing = all.filter { $0.place == ofFlags[$0.flag.name] }
        let ofSubjects = highest(standing.filter { !$0.isOff }) { $0.flag.subject }
        let counting = standing.filter { $0.isOff || $0.place == ofSubjects[$0.flag.subject] }
        return [.file, .environment, .commandLine].flatMap { place in counting.filter { $0.place == place } }
    }

    private func highest(_ settings: [Setting], by key: (Setting) -> String) -> [String: Setting.Place] {
        Dictionary(settings.map { (key($0), $0.place) }, uniquingKeysWith: max)
    }

    /// Returns whether a flag is set.
    func sets(_ name: String) -> Bool { all.contains { $0.flag.name == name } }

    /// The effective values, by flag name.
    var values: [String: [Setting]] { Dictionary(grouping: inForce, by: \.flag.name) }

    /// Adds the environment's settings.
    mutating func add(environment: [String: String]) throws(CommandLineOptions.Refusal) {
        for flag in Flag.all {
            guard let text = environment[flag.variable] else { continue }
            let value = Flag.Value(text: text, origin: flag.variable)
            let isOff = flag.argument == nil ? try !value.truth : false
            add(Setting(flag: flag, value: value, place: .environment, isOff: isOff))
        }
    }

    /// Adds a file's settings.
    mutating func add(_ file: ConfigurationFile) throws(CommandLineOptions.Refusal) {
        for entry in file.entries {
            let origin = "\(file.name):\(entry.line): \(entry.key)"
            guard let flag = Flag.named[entry.key] else {
                throw CommandLineOptions.Refusal(
                    message: "\(origin): there is no such setting\(Flag.hint(for: entry.key))")
            }
            guard flag.canStandInFile else {
                throw CommandLineOptions.Refusal(message: "\(origin): can't be set by a file")
            }
            switch (entry.value, flag.argument) {
            case (.truth(let isOn), nil):
                add(Setting(flag: flag, value: Flag.Value(text: "", origin: origin), place: .file, isOff: !isOn))
            case (.texts(let texts), _?):
                // An empty array equals an empty text on the command line.
                for text in texts.isEmpty ? [""] : texts {
                    add(Setting(flag: flag, value: Flag.Value(text: text, origin: origin), place: .file))
                }
            case (.texts, nil): throw CommandLineOptions.Refusal(message: "\(origin): must be true or false")
            case (.truth, _?): throw CommandLineOptions.Refusal(message: "\(origin): must not be true or false")
            }
        }
    }
}
