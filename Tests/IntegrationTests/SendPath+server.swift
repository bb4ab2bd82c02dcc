// Both ways in which streams are sent, for tests of a whole server: what is promised of streams holds for either.

import HTTPTransport

extension SendPath {
    /// Those that there can be here: a container may forbid rings.
    static let possible: [SendPath] = obstacleToRings(streams: 1) == nil ? allCases : [.epoll]

    /// What has a server send so.
    var flags: [String] { ["--send", rawValue] }
}
