// What a client shows a server: always the same token, or signed ones, each until a server has refused it.

import Base

/// A client's own token.
final class Credential {
    /// Nanoseconds for which a signed token is good, and one that outlasts the world.
    private static let lifetime: ClosedRange<Int64> = .milliseconds(1_500)...(.seconds(8))
    private static let longest: Int64 = .seconds(7_200)

    private let world: World
    private let tokens: AccessTokens
    private let bearer: Bearer
    /// Unix nanoseconds of who signs its tokens: the clock by which servers look at them.
    private let wall: () -> Int64
    private let isSigned: Bool
    private var token: String?
    private var lasts = false
    /// The world's time at which servers begin to refuse it; nil if they never do.
    private(set) var expires: Int64?

    /// - Parameter mayExpire: Whether its tokens may be signed ones, by chance.
    init(_ world: World, _ tokens: AccessTokens, of bearer: Bearer, mayExpire: Bool, wall: @escaping () -> Int64) {
        (self.world, self.tokens, self.bearer, self.wall) = (world, tokens, bearer, wall)
        isSigned = tokens.areRequired && mayExpire && world.happens(0.5)
        renew()
    }

    /// The header that carries it.
    var headers: [(name: String, value: String)] {
        token.map { [("Authorization", "Bearer \($0)")] } ?? tokens.headers(of: bearer)
    }

    /// From now on its tokens outlast the world.
    func settle() { lasts = true }

    /// Takes another token if this one ends.
    func renew() {
        guard isSigned else { return }
        let time = lasts ? Self.longest : world.nanoseconds(Self.lifetime)
        token = tokens.sign(bearer, at: wall(), for: time)
        expires = world.now + time
    }
}
