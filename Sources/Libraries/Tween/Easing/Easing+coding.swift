// Stored easings: as their CSS text. Embedded Swift has no Codable.
#if !hasFeature(Embedded)
    extension Easing: Codable {
        /// Reads a text written by ``encode(to:)``, or any other that ``init(parsing:)`` accepts.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            do {
                try self.init(parsing: text)
            } catch {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
            }
        }

        /// Writes the easing as ``description``, which is read back as an equal value.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }
#endif
