// How long a command took before: a file for each progress in the user's state folder (XDG Base Directory Specification).
// Here and not on the server, because it is this machine that takes the time, and the server may be another tomorrow.

import Glibc
import OperatingSystem

/// The last durations of what one progress shows.
struct RunHistory: Sendable {
    private let path: String
    /// In seconds, oldest first.
    private(set) var durations: [Double]

    private static let kept = 5
    private static let fileBytes = 4_096

    /// - Parameters:
    ///   - folder: The user's state folder.
    ///   - id: A progress' id, which is safe as a file's name.
    init(in folder: String, of id: String) {
        path = "\(folder)/tweencast/runs/\(id)"
        let bytes = (try? FileBytes.read(path, limit: Self.fileBytes)) ?? []
        durations = Self.parse(String(decoding: bytes, as: UTF8.self))
    }

    /// `XDG_STATE_HOME`, or its default; nil without a home.
    static func folder(_ variable: (String) -> String?) -> String? {
        // A relative path is invalid there, and ignored.
        if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
        return variable("HOME").flatMap { $0.isEmpty ? nil : "\($0)/.local/state" }
    }

    static func parse(_ text: String) -> [Double] {
        text.split(separator: "\n").compactMap { Double($0) }.filter { $0.isFinite && $0 >= 0 }.suffix(kept)
    }

    /// The median; nil without any.
    var estimate: Double? {
        durations.isEmpty ? nil : durations.sorted()[durations.count / 2]
    }

    /// Stores one more. Where nothing can be stored, the next run has no estimate.
    mutating func add(_ duration: Double) {
        durations = (durations + [duration]).suffix(Self.kept)
        Self.makeFolders(of: path)
        let text = durations.map { "\($0)\n" }.joined()
        try? FileReplacement(of: path).write(Array(text.utf8), isDurable: false)
    }

    private static func makeFolders(of path: String) {
        for end in path.indices.dropFirst() where path[end] == "/" {
            unsafe mkdir(String(path.prefix(upTo: end)), 0o700)
        }
    }
}
