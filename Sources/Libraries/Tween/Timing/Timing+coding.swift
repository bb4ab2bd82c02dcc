// Stored timings, with the names of Web Animations. Embedded Swift has no Codable.
#if !hasFeature(Embedded)
    extension Timing: Codable {
        private enum CodingKeys: String, CodingKey {
            case duration, delay, endDelay, iterations, iterationStart, direction, repeatDelay, easing, fill
        }

        /// Reads what ``encode(to:)`` writes. Numbers out of range are treated as by
        /// ``init(duration:delay:endDelay:iterations:iterationStart:direction:repeatDelay:easing:fill:)``. Without a duration
        /// or iterations they are infinite.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try self.init(
                duration: container.decodeIfPresent(Double.self, forKey: .duration) ?? .infinity,
                delay: container.decode(Double.self, forKey: .delay),
                endDelay: container.decode(Double.self, forKey: .endDelay),
                iterations: container.decodeIfPresent(Double.self, forKey: .iterations) ?? .infinity,
                iterationStart: container.decode(Double.self, forKey: .iterationStart),
                direction: container.decode(Direction.self, forKey: .direction),
                repeatDelay: container.decodeIfPresent(Double.self, forKey: .repeatDelay) ?? 0,
                easing: container.decode(Easing.self, forKey: .easing),
                fill: container.decode(FillMode.self, forKey: .fill))
        }

        /// Omits an infinite duration or number of iterations, since JSON has no infinity, and a repeat delay of 0.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if duration.isFinite { try container.encode(duration, forKey: .duration) }
            try container.encode(delay, forKey: .delay)
            try container.encode(endDelay, forKey: .endDelay)
            if iterations.isFinite { try container.encode(iterations, forKey: .iterations) }
            try container.encode(iterationStart, forKey: .iterationStart)
            try container.encode(direction, forKey: .direction)
            if repeatDelay > 0 { try container.encode(repeatDelay, forKey: .repeatDelay) }
            try container.encode(easing, forKey: .easing)
            try container.encode(fill, forKey: .fill)
        }
    }

    extension Direction: Codable {}
    extension FillMode: Codable {}
#endif
