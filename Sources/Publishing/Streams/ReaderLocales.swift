// The locales in which streams are read: each has a number while it has a reader, which is part of the form that the
// reader's frames come in.

/// Locales in use, by number from 1 on.
package struct ReaderLocales {
    /// The most locales that are read at a time, and so the most frames that one topic has in one form.
    package static let maximumCount = 64

    private struct Place {
        var locale: String
        var readers: Int
    }

    /// A number less one is a place.
    private var places: [Place?] = []

    /// Those that have readers.
    var inUse: [String] { places.compactMap { $0?.locale } }
    /// How many have readers.
    var count: Int { inUse.count }

    /// Whether there is room for a reader.
    func admits(_ locale: String) -> Bool {
        count < Self.maximumCount || places.contains { $0?.locale == locale }
    }

    /// Takes a reader in.
    /// - Returns: The locale's number; nil without room.
    mutating func add(_ locale: String) -> UInt8? {
        if let known = places.firstIndex(where: { $0?.locale == locale }) {
            places[known]?.readers += 1
            return UInt8(known + 1)
        }
        if let free = places.firstIndex(where: { $0 == nil }) {
            places[free] = Place(locale: locale, readers: 1)
            return UInt8(free + 1)
        }
        guard places.count < Self.maximumCount else { return nil }
        places.append(Place(locale: locale, readers: 1))
        return UInt8(places.count)
    }

    /// A reader has gone; the number of the last one's locale is free again.
    mutating func remove(_ number: UInt8) {
        guard let place = places[Int(number) - 1] else { return }
        places[Int(number) - 1] = place.readers > 1 ? Place(locale: place.locale, readers: place.readers - 1) : nil
    }

    /// The locale of a number that has readers.
    subscript(number: UInt8) -> String? {
        places.indices.contains(Int(number) - 1) ? places[Int(number) - 1]?.locale : nil
    }
}
