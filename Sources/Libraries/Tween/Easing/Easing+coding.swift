// Easings in files: as the text that CSS knows them by. Embedded Swift has no Codable.
#if !hasFeature(Embedded)
    extension Easing: Codable {
        /// Reads the text that ``encode(to:)`` writes, or any other that ``init(parsing:)`` takes.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            do {
                try self.init(parsing: text)
            } catch {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
            }
        }

        /// Writes the easing as ``description``, which is read back as the same.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }
#endif
