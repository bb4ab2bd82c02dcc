// Zones by their IANA names from Foundation's time zone data, for machines without zone files.

import Base

#if canImport(FoundationInternationalization)
    import FoundationEssentials
    import FoundationInternationalization
#else
    import Foundation
#endif

extension ZoneOffsets {
    /// The years whose changes are listed. 64 bits of nanoseconds end in 2262.
    private static let first = -2_208_988_800.0
    private static let last = 9_223_372_036.0

    /// Names without a slash that are in the IANA database too. ICU's other names without a slash are no zones there: PST
    /// and IST each mean several places.
    private static let plainNames: Set<String> = [
        "UTC", "UCT", "GMT", "GMT0", "GMT+0", "GMT-0", "Greenwich", "Universal", "Zulu", "CET", "EET", "MET", "WET",
        "EST",
        "MST", "HST", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "Cuba", "Egypt", "Eire", "GB", "GB-Eire", "Hongkong",
        "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "NZ", "NZ-CHAT", "Navajo", "PRC",
        "Poland",
        "Portugal", "ROC", "ROK", "Singapore", "Turkey", "W-SU",
    ]

    /// - Returns: nil if the IANA database has no such zone.
    init?(named name: String) {
        guard Self.plainNames.contains(name) || (name.contains("/") && !name.hasPrefix("SystemV/")),
            let zone = TimeZone(identifier: name)
        else { return nil }
        var date = Date(timeIntervalSince1970: Self.first)
        let offset = zone.secondsFromGMT(for: date)
        var changes: [Period] = []
        while let change = zone.nextDaylightSavingTimeTransition(after: date), change > date {
            let second = change.timeIntervalSince1970
            guard second < Self.last else { break }
            changes.append(Period(start: Int(saturating: second), offset: zone.secondsFromGMT(for: change)))
            date = change
        }
        self.init(first: offset, changes: changes)
    }
}

extension ZonedCalendar {
    /// The version of Foundation's data, distinct from that of files, because their zones may differ.
    static let ownVersion = "\(TimeZone.timeZoneDataVersion)-icu"
}
