// Counts connections per owner. Owners have numbers, because the search for the owner with the most compares them often.

import Base

/// Connection counts by owner.
struct OwnerCounts {
    private struct Owner {
        var name = ""
        var count = 0
    }

    private var numbers: [String: Int] = [:]
    private var owners: [Owner] = []
    private var places = SlotNumbers()

    /// Counts one more connection.
    /// - Returns: The owner's number, valid while it has connections.
    mutating func add(_ name: String) -> Int {
        if let known = numbers[name] {
            owners[known].count += 1
            return known
        }
        let number = places.take()
        if number == owners.count { owners.append(Owner()) }
        owners[number] = Owner(name: name, count: 1)
        numbers[name] = number
        return number
    }

    /// Counts one connection less.
    mutating func remove(_ number: Int) {
        owners[number].count -= 1
        guard owners[number].count == 0 else { return }
        numbers[owners[number].name] = nil
        owners[number] = Owner()
        places.free(number)
    }

    /// The number of connections of an owner.
    subscript(number: Int) -> Int { owners[number].count }

    /// Returns the number of an owner that has connections.
    func number(of name: String) -> Int? { numbers[name] }
}
