// How many connections each owner has. Owners go by numbers: whoever looks for the greediest of thousands compares them often.

import Base

/// Connections by owner.
struct OwnerCounts {
    private struct Owner {
        var name = ""
        var count = 0
    }

    private var numbers: [String: Int] = [:]
    private var owners: [Owner] = []
    private var places = SlotNumbers()

    /// Counts one more.
    /// - Returns: The owner's number, which is good while any of its connections is counted.
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

    /// Counts one less of those that an owner has.
    mutating func remove(_ number: Int) {
        owners[number].count -= 1
        guard owners[number].count == 0 else { return }
        numbers[owners[number].name] = nil
        owners[number] = Owner()
        places.free(number)
    }

    /// How many the owner of a number has.
    subscript(number: Int) -> Int { owners[number].count }

    /// The number of an owner who has any.
    func number(of name: String) -> Int? { numbers[name] }
}
