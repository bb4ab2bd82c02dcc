// ISO 8601 durations of a fixed length, such as PT1H30M. Months and years have none: they are the calendar's matter.

enum ISODuration {
    /// Seconds of a duration in weeks, days, hours, minutes and seconds; a day is 86,400 s. Nil for anything else.
    static func seconds(_ text: String) -> Double? {
        var rest = Substring(text)
        guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var total = 0.0
        var units: [Character: Double] = ["W": 604_800, "D": 86_400]
        var order: [Character] = ["W", "D"]
        var isTime = false
        while let first = rest.first {
            if first == "T" {
                guard !isTime, rest.count > 1 else { return nil }
                isTime = true
                (units, order) = (["H": 3_600, "M": 60, "S": 1], ["H", "M", "S"])
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest.removeFirst(digits.count)
            guard let unit = rest.popFirst(), let place = order.firstIndex(of: unit), let length = units[unit],
                let amount = Double(digits.map { $0 == "," ? "." : String($0) }.joined())
            else { return nil }
            total += amount * length
            order.removeSubrange(...place)
        }
        return total
    }
}
