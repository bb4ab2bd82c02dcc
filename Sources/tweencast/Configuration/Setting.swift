// What was set, and where. The command line wins over the environment, and that over the configuration's file; what stands in
// a higher place takes the place of all that stands lower, lists included.

/// One value of a flag.
struct Setting: Sendable {
    /// Where it was set, the place that gives way first.
    enum Place: Int, Comparable, Sendable {
        case file, environment, commandLine

        static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }
    }

    let flag: Flag
    let value: Flag.Value
    let place: Place
    /// The flag is a switch and turned off, as it is where nobody sets it.
    var isOff = false
}

/// All that was set, in order.
struct Settings: Sendable {
    private(set) var all: [Setting] = []

    mutating func add(_ setting: Setting) { all.append(setting) }

    /// What counts, those first that stand in a lower place: of what is set several times there the last decides.
    var inForce: [Setting] {
        // A switch that is turned off says something of itself alone.
        let ofFlags = highest(all) { $0.flag.name }
        let standing = all.filter { $0.place == ofFlags[$0.flag.name] }
        let ofSubjects = highest(standing.filter { !$0.isOff }) { $0.flag.subject }
        let counting = standing.filter { $0.isOff || $0.place == ofSubjects[$0.flag.subject] }
        return [.file, .environment, .commandLine].flatMap { place in counting.filter { $0.place == place } }
    }

    private func highest(_ settings: [Setting], by key: (Setting) -> String) -> [String: Setting.Place] {
        Dictionary(settings.map { (key($0), $0.place) }, uniquingKeysWith: max)
    }

    /// Whether a flag is set.
    func sets(_ name: String) -> Bool { all.contains { $0.flag.name == name } }

    /// The values that count, by the names of their flags.
    var values: [String: [Setting]] { Dictionary(grouping: inForce, by: \.flag.name) }

    /// Takes what the environment says.
    mutating func add(environment: [String: String]) throws(CommandLineOptions.Refusal) {
        for flag in Flag.all {
            guard let text = environment[flag.variable] else { continue }
            let value = Flag.Value(text: text, origin: flag.variable)
            let isOff = flag.argument == nil ? try !value.truth : false
            add(Setting(flag: flag, value: value, place: .environment, isOff: isOff))
        }
    }

    /// Takes what a file says.
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
                // An empty array is as an empty text on the command line.
                for text in texts.isEmpty ? [""] : texts {
                    add(Setting(flag: flag, value: Flag.Value(text: text, origin: origin), place: .file))
                }
            case (.texts, nil): throw CommandLineOptions.Refusal(message: "\(origin): must be true or false")
            case (.truth, _?): throw CommandLineOptions.Refusal(message: "\(origin): must not be true or false")
            }
        }
    }
}
