// Whether a client accepts gzip (RFC 9110, 12.5.3).

import Base

/// Reads `Accept-Encoding`.
enum ContentCoding {
    /// Returns whether an `Accept-Encoding` accepts gzip. Without the header, the body is sent uncompressed.
    static func acceptsGzip(_ accepted: String?) -> Bool {
        guard let accepted else { return false }
        var ofAll = false
        for item in accepted.split(separator: ",") {
            let parts = item.split(separator: ";").map(\.trimmedBlanks)
            guard let coding = parts.first?.lowercased() else { continue }
            let isRefused = parts.dropFirst().contains { isZero(quality: $0.lowercased()) }
            if coding == "gzip" || coding == "x-gzip" { return !isRefused }
            if coding == "*" { ofAll = !isRefused }
        }
        return ofAll
    }

    /// Whether a parameter is a weight of 0: `q=0`, `q=0.000`.
    private static func isZero(quality parameter: String) -> Bool {
        let parts = parameter.split(separator: "=", maxSplits: 1).map(\.trimmedBlanks)
        return parts.count == 2 && parts[0] == "q" && Double(parts[1]) == 0
    }
}
