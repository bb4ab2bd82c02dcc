// Runs the log's scripts with the interpreter that Redis has.

import CLua
import ReplicationRedis

/// An interpreter, and the scripts that were loaded into it.
@safe final class ScriptInterpreter {
    private let lua: OpaquePointer
    private let owner: Unmanaged<Owner>
    private var scripts: [[UInt8]: Int32] = [:]

    /// Carries out commands for scripts.
    @safe private final class Owner {
        let carryOut: ([[UInt8]]) -> RedisReply
        /// The last reply, for as long as a script reads it.
        private var reply = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 4_096)

        init(_ carryOut: @escaping ([[UInt8]]) -> RedisReply) { self.carryOut = carryOut }

        deinit { unsafe reply.deallocate() }

        /// Returns where the reply's bytes are until the next one, and a zero behind them.
        func hold(_ bytes: [UInt8]) -> UnsafePointer<CChar>? {
            if unsafe bytes.count >= reply.count {
                unsafe reply.deallocate()
                unsafe reply = .allocate(capacity: 2 * bytes.count)
            }
            for (place, byte) in bytes.enumerated() { unsafe reply[place] = CChar(bitPattern: byte) }
            unsafe reply[bytes.count] = 0
            return unsafe UnsafePointer(reply.baseAddress)
        }
    }

    /// - Parameter carryOut: Carries out a command of a script.
    init(_ carryOut: @escaping ([[UInt8]]) -> RedisReply) {
        unsafe owner = Unmanaged.passRetained(Owner(carryOut))
        let opened = unsafe simulation_open(owner.toOpaque()) { owner, count, words, lengths, length in
            // The interpreter passes the owner that it was opened with, and as many words as it says.
            guard let owner = unsafe owner, let words = unsafe words, let lengths = unsafe lengths,
                let length = unsafe length
            else { return nil }
            let own = unsafe Unmanaged<Owner>.fromOpaque(owner).takeUnretainedValue()
            let command = (0..<Int(count)).map { index in
                unsafe Array(UnsafeRawBufferPointer(start: words[index], count: lengths[index]))
            }
            let bytes = own.carryOut(command).bytesOfProtocol
            unsafe length.pointee = bytes.count
            return unsafe own.hold(bytes)
        }
        guard let lua = unsafe opened else { fatalError("no memory for an interpreter") }
        unsafe self.lua = lua
    }

    deinit {
        unsafe lua_close(lua)
        unsafe owner.release()
    }

    /// Compiles a script.
    /// - Returns: Its digest; nil if it can't be compiled.
    func load(_ source: [UInt8]) -> [UInt8]? {
        let script = unsafe source.withUnsafeBufferPointer { source in
            unsafe source.withMemoryRebound(to: CChar.self) { unsafe simulation_load(lua, $0.baseAddress, $0.count) }
        }
        guard script != LUA_NOREF else { return nil }
        let digest = Self.digest(of: source)
        scripts[digest] = script
        return digest
    }

    func knows(_ digest: [UInt8]) -> Bool { scripts[digest] != nil }

    /// Forgets all scripts, as a server does that is restarted.
    func forget() { scripts = [:] }

    /// Forty digits, FNV-1a's: enough to tell our own scripts apart.
    static func digest(of source: [UInt8]) -> [UInt8] {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in source { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let text = String(hash, radix: 16)
        return Array((String(repeating: "0", count: 40 - text.count) + text).utf8)
    }

    /// Runs a script.
    /// - Parameter words: The keys, then the other arguments.
    func run(_ digest: [UInt8], keys: Int, _ words: [[UInt8]]) -> RedisReply {
        guard let script = scripts[digest] else { return .error("NOSCRIPT No matching script.") }
        let text = words.flatMap { $0 }.map { CChar(bitPattern: $0) } + [0]
        let lengths = words.map(\.count)
        let reply = unsafe text.withUnsafeBufferPointer { text in
            var place = 0
            let pointers = unsafe lengths.map { length in
                defer { place += length }
                return unsafe text.baseAddress.map { unsafe $0 + place }
            }
            return unsafe simulation_run(lua, script, Int32(keys), unsafe pointers, lengths, Int32(words.count))
        }
        defer { unsafe free(reply.data) }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: reply.data, count: reply.length))
        var rest = bytes[...]
        return RedisReply(protocol: &rest)
    }
}

extension RedisReply {
    /// In RESP2.
    var bytesOfProtocol: [UInt8] {
        switch self {
        case .null: Array("$-1\r\n".utf8)
        case .status(let text): Array("+\(text)\r\n".utf8)
        case .error(let text): Array("-\(text)\r\n".utf8)
        case .integer(let number): Array(":\(number)\r\n".utf8)
        case .bytes(let bytes): Array("$\(bytes.count)\r\n".utf8) + bytes + Array("\r\n".utf8)
        case .array(let elements): Array("*\(elements.count)\r\n".utf8) + elements.flatMap(\.bytesOfProtocol)
        }
    }

    /// Reads what the interpreter wrote.
    init(protocol rest: inout ArraySlice<UInt8>) {
        let kind = rest.removeFirst()
        let line = rest.prefix { $0 != UInt8(ascii: "\r") }
        rest = rest[line.endIndex...].dropFirst(2)
        let text = String(decoding: line, as: UTF8.self)
        let number = Int(text) ?? 0
        switch kind {
        case UInt8(ascii: ":"): self = .integer(Int64(number))
        case UInt8(ascii: "-"): self = .error(text)
        case UInt8(ascii: "$") where number >= 0:
            self = .bytes(Array(rest.prefix(number)))
            rest = rest.dropFirst(number + 2)
        case UInt8(ascii: "*"):
            var elements: [RedisReply] = []
            for _ in 0..<number { elements.append(RedisReply(protocol: &rest)) }
            self = .array(elements)
        default: self = .null
        }
    }
}
