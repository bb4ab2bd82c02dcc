// Stored instants: a number of nanoseconds. Embedded Swift has no Codable.
#if !hasFeature(Embedded)
    extension Instant: Codable {
        /// Reads the nanoseconds, an integer.
        public init(from decoder: any Decoder) throws {
            self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
        }

        /// Writes the nanoseconds, an integer.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(nanoseconds)
        }
    }
#endif
