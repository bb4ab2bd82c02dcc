// Pages as an operator lists them.

/// Origins: `https://board.example`, `https://*.board.example`.
struct OriginPattern: Sendable {
    private let origin: PageOrigin
    private let host: HostPattern

    /// - Returns: nil for what is no origin of a page's, and for a star that stands for something else.
    init?(_ text: String) {
        guard let origin = PageOrigin(text), let host = HostPattern(origin.authority.name) else { return nil }
        self.origin = origin
        self.host = host
    }

    func admits(_ page: PageOrigin) -> Bool {
        page.scheme == origin.scheme && page.port == origin.port && host.admits(page.authority.name)
    }
}
