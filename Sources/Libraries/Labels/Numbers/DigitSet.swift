// The ten digits of a script as bytes of equal width. It knows no locale: whoever compiles a plan picks the script.

/// Ten digits in UTF-8, each of the same number of bytes.
public struct DigitSet: Hashable, Sendable {
    /// The digits 0 to 9, one after the other.
    public let bytes: [UInt8]
    /// Bytes of one digit, 1...4.
    public let width: Int

    /// `0123456789`.
    public static let ascii = DigitSet(bytes: Array("0123456789".utf8), width: 1)

    /// True for 0 to 9.
    let isASCII: Bool

    private init(bytes: [UInt8], width: Int) {
        self.bytes = bytes
        self.width = width
        isASCII = bytes.elementsEqual("0123456789".utf8)
    }

    /// Ten characters of one scalar each and of one UTF-8 width; nil for anything else.
    public init?(_ digits: [Unicode.Scalar]) {
        guard digits.count == 10 else { return nil }
        let encoded = digits.map { Array(String($0).utf8) }
        guard let width = encoded.first?.count, encoded.allSatisfy({ $0.count == width }) else { return nil }
        self.init(bytes: encoded.flatMap(\.self), width: width)
    }

    /// The decimal digits of the script whose zero is given, such as U+0660.
    public init?(zero: Unicode.Scalar) {
        guard zero.properties.numericType == .decimal, zero.properties.numericValue == 0 else { return nil }
        let digits = (0..<10).compactMap { Unicode.Scalar(zero.value + $0) }
        self.init(digits)
    }

    /// The text of one digit, 0...9.
    public func text(of digit: Int) -> String {
        // proven: a digit is 0 to 9, and there are ten of that width.
        String(decoding: bytes[(digit * width)..<((digit + 1) * width)], as: UTF8.self)
    }

    /// Appends one digit, 0...9.
    func append(_ digit: UInt8, to output: inout [UInt8]) {
        if width == 1 {
            output.append(bytes[Int(digit)])
        } else {
            for index in (Int(digit) * width)..<((Int(digit) + 1) * width) { output.append(bytes[index]) }
        }
    }
}
