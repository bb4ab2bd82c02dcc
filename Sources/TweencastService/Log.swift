// The log: one line an entry, on standard error, unbuffered.

import Glibc

/// Writes what an operator should know.
enum Log {
    static func write(_ text: String) {
        var line = Array("tweencast: \(text)\n".utf8)
        _ = unsafe line.withUnsafeMutableBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
