// The locales of open streams. Each has a number while it has readers, which is part of their variants.

import Base

/// Locales in use, by number from 1 on.
package struct ReaderLocales {
    /// The maximum number of locales at a time, and so of frames that a topic has in one form.
    package static let maximumCount = 64

    private struct Place {
        var locale: String
        /// The number of readers by owner.
        var readers: [String?: Int]
        /// The owner whose share it uses: one of the readers' owners.
        var holder: String?
    }

    /// The locales by number - 1.
    private var places: [Place?] = []
    private var share = FairShare(places: ReaderLocales.maximumCount)

    /// The locales with readers.
    var inUse: [String] { places.compactMap { $0?.locale } }
    /// The number of locales with readers.
    var count: Int { share.usedPlaces }

    /// Whether there is room for a reader.
    /// - Parameter owner: The stream's owner; nil if only the total applies.
    func admits(_ locale: String, of owner: String?) -> Bool {
        share.admits(of: owner) || places.contains { $0?.locale == locale }
    }

    /// Adds a reader. A locale uses the share of its first reader; further readers need no room.
    /// - Returns: The locale's number; nil without room: no owner may use more of it than is left free.
    mutating func add(_ locale: String, of owner: String?) -> UInt8? {
        if let known = places.firstIndex(where: { $0?.locale == locale }) {
            places[known]?.readers[owner, default: 0] += 1
            return UInt8(known + 1)
        }
        guard share.admits(of: owner) else { return nil }
        share.reserve(of: owner)
        let place = Place(locale: locale, readers: [owner: 1], holder: owner)
        if let free = places.firstIndex(where: { $0 == nil }) {
            places[free] = place
            return UInt8(free + 1)
        }
        places.append(place)
        return UInt8(places.count)
    }

    /// Removes a reader. With the last one the locale's number becomes free.
    mutating func remove(_ number: UInt8, of owner: String?) {
        let index = Int(number) - 1
        guard let count = places[index]?.readers[owner] else { return }
        places[index]?.readers[owner] = count > 1 ? count - 1 : nil
        settle(index)
    }

    /// Moves a locale to the share of a remaining reader, or removes it.
    private mutating func settle(_ index: Int) {
        guard let place = places[index], place.readers[place.holder] == nil else { return }
        share.free(of: place.holder)
        guard let reader = place.readers.first?.key else {
            places[index] = nil
            return
        }
        // Prefer a reader without an owner, so that no share is used.
        let heir = place.readers[nil] == nil ? reader : nil
        share.reserve(of: heir)
        places[index]?.holder = heir
    }

    /// Returns the locale with a number; nil if it has no readers.
    subscript(number: UInt8) -> String? {
        places.indices.contains(Int(number) - 1) ? places[Int(number) - 1]?.locale : nil
    }
}
