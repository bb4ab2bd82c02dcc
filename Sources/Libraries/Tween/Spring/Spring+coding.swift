// Stored springs: two numbers define one. Embedded Swift has no Codable.
#if !hasFeature(Embedded)
    extension Spring: Codable {
        private enum CodingKeys: String, CodingKey {
            case angularFrequency, dampingRatio
        }

        /// Reads what ``encode(to:)`` writes.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let frequency = try container.decodeIfPresent(Double.self, forKey: .angularFrequency)
            let dampingRatio = try container.decode(Double.self, forKey: .dampingRatio)
            do {
                try self.init(frequency: frequency ?? .infinity, dampingRatio: dampingRatio)
            } catch {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(error)"))
            }
        }

        /// Writes both numbers. A spring that arrives at once has no frequency, since JSON has no infinity.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if angularFrequency.isFinite { try container.encode(angularFrequency, forKey: .angularFrequency) }
            try container.encode(dampingRatio, forKey: .dampingRatio)
        }
    }
#endif
