// Which random numbers a comparison goes by: always the same, and others each time.

/// Seeds of comparisons; those of a failure are among its arguments.
enum Seeds {
    /// One that is always the same, and one that no run had before.
    static let fixedAndFresh: [UInt64] = {
        let fresh = UInt64.random(in: 0..<1 << 32)
        print("comparisons with the browser, fresh seed \(fresh)")
        return [2026, fresh]
    }()
}
