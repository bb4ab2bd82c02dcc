// Who is let in: nothing that nobody signed, nothing by a file that is wrong, and no address that a client made up.

import EventStream
import Gateway
import OperatingSystem
import Tokens
import Wire

extension FuzzTarget {
    /// A token as it comes, one that was tampered with, and claims that are signed.
    static let jwts = FuzzTarget("jwts") { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        switch input.byte() % 3 {
        case 0: try AccessProperties.refuses(input.text)
        case 1: try AccessProperties.refusesTampering(at: Int(input.byte()), with: input.byte())
        default: try AccessProperties.takes(input.bytes)
        }
    }

    static let tokenFiles = FuzzTarget("token-files") { bytes throws(Violation) in
        var rights: [Rights] = []
        do throws(Problem) {
            let file = try TokenFile(bytes)
            _ = try TokenBook(file)
            for entry in file.tokens { rights.append(try Rights(entry.grant)) }
            if let grant = file.anonymous { rights.append(try Rights(grant)) }
        } catch {
            return try require(!error.detail.isEmpty, "a refusal without words")
        }
        for rights in rights { try AccessProperties.isWrittenAlike(rights) }
    }

    /// What a log hands on of a ticket.
    static let grants = FuzzTarget("grants") { bytes throws(Violation) in
        guard let bearer = try? StreamGrant.bearer(bytes) else { return }
        try require(bearer.rights.publish.isEmpty && !bearer.rights.isAdmin, "a ticket that changes something")
        let again = try? StreamGrant.bearer(StreamGrant.bytes(bearer, topics: bearer.rights.subscribe))
        try require(again == bearer, "a grant is read as two")
    }

    static let proxies = FuzzTarget("proxies") { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let header: ProxyHeader = input.byte() % 2 == 0 ? .forwarded : .forwardedFor
        let text = input.text
        let proxies = TrustedProxies(AccessProperties.trusted, header: header)
        try require(
            proxies.client(peer: "203.0.113.1", told: text) == "203.0.113.1", "somebody is believed who isn't trusted")
        let told = proxies.client(peer: "10.0.0.1", told: text)
        guard told != TrustedProxies.unknownClient else { return }
        try require(IPAddress(told) != nil, "\(told) is no address")
        try require(text.contains(told), "\(told) is nobody's word")
    }
}

enum AccessProperties {
    static let trusted = ["10.0.0.0/8"].compactMap { IPNetwork($0) }
    private static let key = try? JWTKey(.hs256, file: Array("a secret of the fuzzers, of 32 bytes and more".utf8))
    private static let good = key.flatMap { try? $0.sign(claims: Array(#"{"sub":"me","exp":4102444800}"#.utf8)) } ?? ""
    private static let keys = JWTKeySet([key].compactMap { $0 })

    static func refuses(_ token: String) throws(Violation) {
        do throws(JWTRefusal) {
            _ = try keys.verify(token)
        } catch {
            return try require(!error.description.isEmpty, "a refusal without words")
        }
        try require(token == good, "\(token) was signed by nobody")
    }

    static func refusesTampering(at place: Int, with byte: UInt8) throws(Violation) {
        var bytes = Array(good.utf8)
        guard !bytes.isEmpty else { throw Violation("there is no key") }
        bytes[place % bytes.count] = byte
        try refuses(String(decoding: bytes, as: UTF8.self))
    }

    static func takes(_ claims: [UInt8]) throws(Violation) {
        guard let token = try? key?.sign(claims: claims) else { return }
        guard let verified = try? keys.verify(token) else { throw Violation("what was signed here is refused") }
        try require(verified.claims == claims, "claims are read as others")
        let rights: Rights
        do throws(Problem) {
            rights = try Rights(try TokenClaims(verified.claims).grant)
        } catch {
            return try require(!error.detail.isEmpty, "a refusal without words")
        }
        try isWrittenAlike(rights)
    }

    /// Patterns as they are written are read as the same ones.
    static func isWrittenAlike(_ rights: Rights) throws(Violation) {
        for selection in [rights.publish, rights.subscribe] {
            let texts = selection.patterns.map { "\($0.kind)=\($0.text)\($0.isPrefix ? "*" : "")" }
            let patterns = texts.compactMap { Rights.patterns($0) }.flatMap { $0 }
            try require(TopicSelection(patterns) == selection, "\(texts) are read as others")
            try require(selection.intersection(.everything) == selection, "everything leaves something out")
            try require(selection.covers(selection), "rights that don't cover themselves")
        }
    }
}
