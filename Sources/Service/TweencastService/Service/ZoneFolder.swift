// The folder of the machine's time zones, as the package tzdata installs it.

import FoundationEssentials
import OperatingSystem
import RecurrenceRules

/// Reads time zone files.
enum ZoneFolder {
    /// The usual folders.
    private static let usual = [
        "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
    ]
    /// Names in these folders that are no zones of the IANA database, or copies under another name.
    private static let others: Set = ["posix", "right", "localtime", "posixrules", "Factory"]
    /// The most bytes of a zone file, and of the text database.
    private static let maximumFileBytes = 64 << 10
    private static let maximumTextBytes = 1 << 20
    /// The most files, and levels of folders, as in `America/Argentina/Ushuaia`.
    private static let maximumFiles = 4_000
    private static let maximumDepth = 3

    /// Returns a calendar with the zones of the first folder that has any; with Foundation's built-in rules if none has.
    /// - Parameter wanted: The folder to try first.
    static func calendar(_ wanted: String?) -> ZonedCalendar {
        for folder in (wanted.map { [$0] } ?? []) + usual {
            if let files = files(in: folder) { return ZonedCalendar(files, report: warn) }
            if folder == wanted {
                Log.write(.service, .warning, "no time zones in TZDIR", ["folder": .text(folder)])
            }
        }
        let calendar = ZonedCalendar()
        Log.write(
            .service, .warning, "no time zones on this machine (package tzdata); using those built in",
            ["version": .text(calendar.zoneVersion)])
        return calendar
    }

    @Sendable private static func warn(_ zone: String, _ error: ZoneFileError) {
        Log.write(
            .service, .error, "can't use a time zone's file; using the rules built in",
            ["zone": .text(zone), "reason": .text(error.reason)])
    }

    /// - Returns: The files; nil if the folder has no zones.
    static func files(in folder: String) -> ZoneFiles? {
        var files: [String: [UInt8]] = [:]
        collect("", in: folder, depth: 1, into: &files)
        guard !files.isEmpty else { return nil }
        let database = text("tzdata.zi", in: folder)
        let version = database.flatMap(ZoneFiles.version(ofDatabase:)) ?? text("+VERSION", in: folder)?.firstWord
        return ZoneFiles(version: version, files: files, links: database.map(ZoneFiles.links(ofDatabase:)) ?? [:])
    }

    private static func collect(_ stem: String, in folder: String, depth: Int, into files: inout [String: [UInt8]]) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(stem)") else { return }
        for name in names.sorted() where !name.hasPrefix(".") && !others.contains(stem + name) {
            guard files.count < maximumFiles else { return }
            do throws(FileBytes.Failure) {
                let bytes = try FileBytes.read("\(folder)/\(stem)\(name)", limit: maximumFileBytes)
                if bytes.starts(with: "TZif".utf8) { files[stem + name] = bytes }
            } catch {
                guard error == .unreadable, depth < maximumDepth else { continue }
                collect("\(stem)\(name)/", in: folder, depth: depth + 1, into: &files)
            }
        }
    }

    private static func text(_ name: String, in folder: String) -> String? {
        let bytes = try? FileBytes.read("\(folder)/\(name)", limit: maximumTextBytes)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension String {
    fileprivate var firstWord: String? { split(whereSeparator: \.isWhitespace).first.map(String.init) }
}
