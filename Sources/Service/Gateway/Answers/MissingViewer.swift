// What a server without the viewer's files answers where the board would be.

import HTTPTransport
import Wire

enum MissingViewer {
    private static let cure =
        "this server serves no pages; start it with --public FOLDER, the folder of the viewer's files"

    /// Whether a request is for the board.
    static func isAsked(_ request: HTTPRequest) -> Bool { request.path == "/" || request.path == "/index.html" }

    /// Returns a page for a browser, and a problem for other clients.
    static func response(to request: HTTPRequest) -> HTTPResponse {
        guard AcceptedTypes(request).prefersPage else { return .problem(Problem(404, "Not Found", cure)) }
        return .page(404, Array(page.utf8))
    }

    private static let page = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Tweencast without its viewer</title>
        <h1>Tweencast runs, without its viewer</h1>
        <p>This server serves no pages. Start it with <code>--public FOLDER</code>, the folder of the viewer's files:
        <code>/usr/share/tweencast/public</code> of the Debian package, or <code>public</code> of the source.</p>
        <p>The API works: see <a href="openapi.yaml">openapi.yaml</a>.</p>
        </html>

        """
}
