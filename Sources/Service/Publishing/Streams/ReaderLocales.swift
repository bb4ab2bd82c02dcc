// The locales in which streams are read: each has a number while it has a reader, which is part of the form that the
// reader's frames come in.

import Base

/// Locales in use, by number from 1 on.
package struct ReaderLocales {
    /// The most locales that are read at a time, and so the most frames that one topic has in one form.
    package static let maximumCount = 64

    private struct Place {
        var locale: String
        /// How many read here, by whose streams they are.
        var readers: [String?: Int]
        /// Whose share it counts towards: one of those who read here.
        var holder: String?
    }

    /// A number less one is a place.
    private var places: [Place?] = []
    private var share = FairShare(places: ReaderLocales.maximumCount)

    /// Those that have readers.
    var inUse: [String] { places.compactMap { $0?.locale } }
    /// How many have readers.
    var count: Int { share.usedPlaces }

    /// Whether there is room for a reader.
    /// - Parameter owner: Whose stream it is; nil for one that is bounded by the total alone.
    func admits(_ locale: String, of owner: String?) -> Bool {
        share.admits(of: owner) || places.contains { $0?.locale == locale }
    }

    /// Takes a reader in. A locale counts towards its first reader's share: whoever reads where others do takes no room.
    /// - Returns: The locale's number; nil without room: nobody has more of it than is left free.
    mutating func add(_ locale: String, of owner: String?) -> UInt8? {
        if let known = places.firstIndex(where: { $0?.locale == locale }) {
            places[known]?.readers[owner, default: 0] += 1
            return UInt8(known + 1)
        }
        guard share.admits(of: owner) else { return nil }
        share.take(of: owner)
        let place = Place(locale: locale, readers: [owner: 1], holder: owner)
        if let free = places.firstIndex(where: { $0 == nil }) {
            places[free] = place
            return UInt8(free + 1)
        }
        places.append(place)
        return UInt8(places.count)
    }

    /// A reader has gone; the number of the last one's locale is free again.
    mutating func remove(_ number: UInt8, of owner: String?) {
        let index = Int(number) - 1
        guard let count = places[index]?.readers[owner] else { return }
        places[index]?.readers[owner] = count > 1 ? count - 1 : nil
        settle(index)
    }

    /// Has a locale count towards somebody who reads there, or nobody.
    private mutating func settle(_ index: Int) {
        guard let place = places[index], place.readers[place.holder] == nil else { return }
        share.free(of: place.holder)
        guard let reader = place.readers.first?.key else {
            places[index] = nil
            return
        }
        // Rather towards nobody's share, where one reads who has none.
        let heir = place.readers[nil] == nil ? reader : nil
        share.take(of: heir)
        places[index]?.holder = heir
    }

    /// The locale of a number that has readers.
    subscript(number: UInt8) -> String? {
        places.indices.contains(Int(number) - 1) ? places[Int(number) - 1]?.locale : nil
    }
}
