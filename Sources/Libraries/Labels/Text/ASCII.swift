// Named ASCII bytes, without any logic.

enum ASCII {
    static let zero = UInt8(ascii: "0")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let space = UInt8(ascii: " ")
    static let percent = UInt8(ascii: "%")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let e = UInt8(ascii: "e")
    static let capitalE = UInt8(ascii: "E")

    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }
}
