// The terminal behind a descriptor.

import CLinux
import Glibc

/// What there is room for on a terminal.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size of a descriptor's terminal; nil if it is none.
    package init?(of descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        var (columns, rows): (Int32, Int32) = (0, 0)
        unsafe tweencast_terminal_size(descriptor, &columns, &rows)
        // Some terminals, such as serial lines, don't know.
        self.init(columns: columns > 0 ? Int(columns) : 80, rows: rows > 0 ? Int(rows) : 24)
    }
}
