// Reads the members of one JSON object by name, tracks which were read, and reports the field at fault.

import Base
import Board
import Labels

/// The members of an object, with the object's position.
struct FieldReader {
    let document: JSONDocument
    /// RFC 6901 pointer of the object.
    let pointer: String
    private let members: [JSONMember]
    /// The keys of its members, since most names that are looked up are missing.
    private let keys: RecordKeySet
    /// A bit for each member that was taken. No object of the API has more fields than there are bits: one with more members
    /// has unknown names, and is not searched beyond that.
    private var taken: UInt128 = 0
    /// The number of members that are not taken yet: at 0, no lookup is needed.
    private var left: Int
    /// The index after the last taken member: records are read in the order in which they are written.
    private var next = 0
    /// The names that were looked up, to suggest one for a misspelt field; nil for stored JSON.
    private var known: KnownNames?

    /// - Throws: 422 if the node is no object.
    init(_ document: JSONDocument, _ node: JSONNode, pointer: String) throws(Problem) {
        guard case .object(let members) = node.content else {
            throw .field(pointer, "must be an object, not \(node.kind)")
        }
        self.document = document
        self.members = members
        left = members.count
        self.pointer = pointer
        var keys = RecordKeySet()
        for index in 0..<min(members.count, Self.mostMembers) {
            if let key = members[index].key { keys.insert(key) }
        }
        self.keys = keys
        if document.origin != .stored { known = KnownNames() }
    }

    /// The maximum number of members that are searched.
    static let mostMembers = UInt128.bitWidth

    /// Whether the JSON is stored: it was accepted once, so today's limits do not apply.
    var isStored: Bool { document.origin == .stored }

    /// Whether every member was taken.
    var isUsedUp: Bool { left == 0 }

    func pointer(to name: String) -> String { pointer + "/" + Problem.token(name) }

    /// Takes a member of any type.
    mutating func read(_ name: String) -> JSONNode? {
        guard left > 0 else { return nil }
        let key = RecordKey.key(of: name)
        known?.insert(name, key)
        guard let index = index(of: name, key), !isTaken(index) else { return nil }
        taken |= Self.bit(index)
        left -= 1
        next = index + 1
        return members[index].value
    }

    /// The end of the members that are searched.
    private var end: Int { min(members.count, Self.mostMembers) }

    private static func bit(_ index: Int) -> UInt128 { 1 &<< UInt128(truncatingIfNeeded: index) }

    /// Returns a node's JSON as it was written.
    /// - Throws: A problem if it is not JSON but a value of a record.
    func source(of node: JSONNode, _ name: @autoclosure () -> String) throws(Problem) -> [UInt8] {
        guard !node.range.isEmpty else { throw .field(pointer(to: name()), "must be JSON, not \(node.kind)") }
        return document.source(of: node)
    }

    /// Returns the object's JSON without one of its members.
    func source(without name: String) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            for member in members where member.name != name {
                $0.member(member.name, raw: document.source(of: member.value))
            }
        }
        return json.bytes
    }

    private func isTaken(_ index: Int) -> Bool { taken & Self.bit(index) != 0 }

    /// - Parameter key: The name's key.
    private func index(of name: String, _ key: UInt8?) -> Int? {
        guard let key else { return index(ofOther: name) }
        guard keys.contains(key) else { return nil }
        for place in next..<end where members[place].key == key { return place }
        for place in 0..<next where members[place].key == key { return place }
        return nil
    }

    /// Finds a name that records don't have.
    private func index(ofOther name: String) -> Int? {
        // By index: a loop over members would copy each of them.
        for place in next..<end where members[place].name == name { return place }
        for place in 0..<next where members[place].name == name { return place }
        return nil
    }

    /// Whether there is a member of this name, taken or not.
    func has(_ name: String) -> Bool { index(of: name, RecordKey.key(of: name)) != nil }

    /// - Parameter hint: Returns the end of the error for a name that is known to be mistaken for another; nil for others.
    /// - Throws: 422 naming the first member that was not taken.
    func finish(hint: (String) -> String? = { _ in nil }) throws(Problem) {
        guard left > 0 else { return }
        for index in members.indices where index >= end || !isTaken(index) {
            let name = members[index].name
            let hint = hint(name) ?? NearestName.hint(for: name, among: known?.all ?? [])
            throw .field(pointer(to: name), "unknown field" + hint)
        }
    }

    mutating func string(_ name: String, longest: Int = .max) throws(Problem) -> String? {
        guard let node = read(name) else { return nil }
        guard case .string(let text) = node.content else {
            throw .field(pointer(to: name), "must be a string, not \(node.kind)")
        }
        guard text.utf8.count <= longest || isStored else {
            throw .field(pointer(to: name), "must be at most \(longest) bytes long")
        }
        return text
    }

    mutating func bool(_ name: String) throws(Problem) -> Bool? {
        guard let node = read(name) else { return nil }
        guard case .bool(let value) = node.content else {
            throw .field(pointer(to: name), "must be true or false, not \(node.kind)")
        }
        return value
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = try number(name, in: Double(range.lowerBound)...Double(range.upperBound)) else { return nil }
        guard let whole = Int(exactly: value) else { throw .field(pointer(to: name), "must be a whole number") }
        return whole
    }

    /// Takes a JSON number within a range.
    mutating func number(
        _ name: String, in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(Problem) -> Double? {
        guard let node = read(name) else { return nil }
        guard let value = double(node) else {
            throw .field(pointer(to: name), "must be a number, not \(node.kind)")
        }
        if isStored { return value.held(in: range) }
        guard range.contains(value) else {
            throw .field(pointer(to: name), "must be between \(text(range.lowerBound)) and \(text(range.upperBound))")
        }
        return value
    }

    /// Takes an exact number: a JSON number by its value, or a decimal string as written.
    mutating func decimal(_ name: String) throws(Problem) -> ExactDecimal? {
        guard let node = read(name) else { return nil }
        return try decimal(node, named: name)
    }

    /// Decodes a member that was taken.
    func decimal(_ node: JSONNode, named name: String) throws(Problem) -> ExactDecimal {
        try decimal(node, pointer: pointer(to: name))
    }

    func decimal(_ node: JSONNode, pointer: @autoclosure () -> String) throws(Problem) -> ExactDecimal {
        let value: ExactDecimal? =
            switch node.content {
            case .number: ExactDecimal(jsonNumber: document.bytes[node.range])
            case .exact(let coefficient, let scale): ExactDecimal(coefficient: Int128(coefficient), scale: Int(scale))
            case .double(let value): ExactDecimal(value)
            case .string(let text): ExactDecimal(parsing: text)
            default: throw .field(pointer(), "must be a number or a decimal string, not \(node.kind)")
            }
        guard let value else {
            throw .field(pointer(), "must be a decimal number of at most 38 digits, such as 12.5 or \"12.50\"")
        }
        return value
    }

    mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Value.Type
    ) throws(Problem) -> Value? where Value.RawValue == String {
        guard let text = try string(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .field(pointer(to: name), "must be one of \(choices)")
        }
        return value
    }

    func double(_ node: JSONNode) -> Double? {
        if case .double(let value) = node.content { return value }
        guard case .number = node.content else { return nil }
        if let value = document.shortNumber(at: node.range) { return value }
        // A number beyond the range of doubles becomes infinite, which every range rejects.
        return Double(String(decoding: document.bytes[node.range], as: UTF8.self))
    }

    /// Whether a member that is not taken yet is an array.
    func holdsArray(_ name: String) -> Bool {
        guard let index = index(of: name, RecordKey.key(of: name)) else { return false }
        if case .array = members[index].value.content { return true }
        return false
    }

    /// Takes the id of a resource or notification.
    mutating func id(_ name: String) throws(Problem) -> String? {
        guard let id = try string(name) else { return nil }
        guard isStored || ResourceName.isValid(id: id) else {
            throw .field(pointer(to: name), "must be 1 to 128 characters of A-Z a-z 0-9 . _ ~ : - and neither . nor ..")
        }
        return id
    }

    private func text(_ bound: Double) -> String {
        var bytes: [UInt8] = []
        NumberText.append(bound, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The names that were looked up in an object.
private struct KnownNames {
    private var keys = RecordKeySet()
    /// Names that records don't have.
    private var others: [String] = []

    var all: [String] {
        others + RecordKey.names.enumerated().filter { keys.contains(UInt8($0.offset + 1)) }.map(\.element)
    }

    /// - Parameter key: The name's key.
    mutating func insert(_ name: String, _ key: UInt8?) {
        if let key { keys.insert(key) } else { others.append(name) }
    }
}

extension Double {
    /// Clamps to a range: values that were stored before a limit existed count as the limit.
    func held(in range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
