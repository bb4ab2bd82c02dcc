// Origins in an operator's lists.

/// Origins: `https://board.example`, `https://*.board.example`.
struct OriginPattern: Sendable {
    private let origin: PageOrigin
    private let host: HostPattern

    /// - Returns: nil if the text is no web origin, or has a star anywhere else.
    init?(_ text: String) {
        guard let origin = PageOrigin(text), let host = HostPattern(origin.authority.name) else { return nil }
        self.origin = origin
        self.host = host
    }

    /// As a source of a Content Security Policy.
    var text: String {
        "\(origin.scheme)://\(origin.authority.name)\(origin.authority.port.map { ":\($0)" } ?? "")"
    }

    func admits(_ page: PageOrigin) -> Bool {
        page.scheme == origin.scheme && page.port == origin.port && host.admits(page.authority.name)
    }
}
