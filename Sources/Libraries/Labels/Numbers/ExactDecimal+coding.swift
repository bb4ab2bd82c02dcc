// Stored exact decimals: as text. Embedded Swift has no Codable.
#if !hasFeature(Embedded)
    extension ExactDecimal: Codable {
        /// Reads the text that ``encode(to:)`` writes.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let value = ExactDecimal(parsing: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not a plain decimal of at most \(Self.maximumDigits) digits")
            }
            self = value
        }

        /// Writes the number as text, so that no digit or trailing zero is lost.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }
#endif
