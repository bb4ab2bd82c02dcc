// Answers with pictures: made for pages that link to them directly, so that they are cached where they can be.

import Base
package import HTTPTransport
package import Wire

/// The forms of a picture.
package enum PictureForm: String, CaseIterable, Sendable {
    case svg = "image.svg"
    /// The JSON from which shields.io draws a badge.
    case shields = "badge.json"
}

/// A picture as it is sent.
package struct EncodedPicture: Sendable {
    fileprivate let form: PictureForm
    package let body: [UInt8]
    /// nil while the picture moves, since it differs a moment later.
    fileprivate let tag: String?

    package init(_ picture: TrackPicture, _ form: PictureForm) {
        self.form = form
        body = form == .svg ? picture.svg : picture.shieldsEndpoint
        guard !picture.isMoving else {
            tag = nil
            return
        }
        var hash = FNV1a()
        hash.add(body)
        tag = String(hash.value, radix: 16)
    }
}

extension HTTPResponse {
    /// Returns a picture; 304 if the client has it. One that moves isn't kept.
    /// - Parameters:
    ///   - known: The tags of `If-None-Match`.
    ///   - isPrivate: Whether a right is needed to see it: then no cache that others share may keep it.
    package static func picture(
        _ picture: EncodedPicture, unless known: EntityTags?, isPrivate: Bool
    ) -> HTTPResponse {
        var headers: [(name: String, value: String)] = [
            ("X-Content-Type-Options", "nosniff"),
            // Opened by itself, an image is a page that runs nothing.
            ("Content-Security-Policy", "sandbox"),
        ]
        let type = (name: "Content-Type", value: picture.form.contentType)
        guard let tag = picture.tag else {
            headers += [("Cache-Control", "no-store"), type]
            return HTTPResponse(status: 200, headers: headers, body: picture.body)
        }
        headers += [("Cache-Control", isPrivate ? "private, no-cache" : "no-cache"), ("ETag", "\"\(tag)\"")]
        if known?.includes(tag) ?? false { return HTTPResponse(status: 304, headers: headers) }
        return HTTPResponse(status: 200, headers: headers + [type], body: picture.body)
    }
}

extension PictureForm {
    fileprivate var contentType: String {
        switch self {
        case .svg: "image/svg+xml; charset=utf-8"
        case .shields: "application/json"
        }
    }
}

extension EntityTags {
    /// Returns whether a tag is in the list, also as compressing proxies change it: `"7-gzip"`.
    fileprivate func includes(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { $0.text.prefix { $0 != "-" } == tag }
        }
    }
}
