// A script's ten digits as bytes of equal width. The code that compiles a plan picks the script.

/// Ten digits in UTF-8, each with the same number of bytes.
public struct DigitSet: Hashable, Sendable {
    /// The digits 0 to 9 in a row.
    public let bytes: [UInt8]
    /// Bytes of one digit, 1...4.
    public let width: Int

    /// `0123456789`.
    public static let ascii = DigitSet(bytes: Array("0123456789".utf8), width: 1)

    /// Whether these are 0 to 9.
    let isASCII: Bool

    private init(bytes: [UInt8], width: Int) {
        self.bytes = bytes
        self.width = width
        isASCII = bytes.elementsEqual("0123456789".utf8)
    }

    /// Creates digits from ten scalars of one UTF-8 width; nil for anything else.
    public init?(_ digits: [Unicode.Scalar]) {
        guard digits.count == 10 else { return nil }
        let encoded = digits.map { Array(String($0).utf8) }
        guard let width = encoded.first?.count, encoded.allSatisfy({ $0.count == width }) else { return nil }
        self.init(bytes: encoded.flatMap { $0 }, width: width)
    }

    /// Creates the decimal digits of the script with this zero, such as U+0660.
    public init?(zero: Unicode.Scalar) {
        guard zero.properties.numericType == .decimal, zero.properties.numericValue == 0 else { return nil }
        let digits = (0..<10).compactMap { Unicode.Scalar(zero.value + $0) }
        self.init(digits)
    }

    /// Returns the text of one digit, clamped to 0...9.
    public func text(of digit: Int) -> String {
        let digit = min(max(digit, 0), 9)
        // proven: a digit is 0 to 9, and there are ten of this width.
        return String(decoding: bytes[(digit * width)..<((digit + 1) * width)], as: UTF8.self)
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
