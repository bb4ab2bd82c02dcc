// Exact decimals in files: as text. Embedded Swift has no Codable.
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

        /// Writes the number as text, so that no digit and no zero at its end is lost on the way.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }
#endif
