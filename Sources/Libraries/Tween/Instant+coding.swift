// Instants in files: a count of nanoseconds. Embedded Swift has no Codable.
#if !hasFeature(Embedded)
    extension Instant: Codable {
        /// Reads the nanoseconds, a whole number.
        public init(from decoder: any Decoder) throws {
            self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
        }

        /// Writes the nanoseconds, a whole number.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(nanoseconds)
        }
    }
#endif
