// The problem that a client receives when the store can't save a change: what to expect, without internal causes.

package import Storage
package import Wire

extension Problem {
    package init(_ error: StoreError) {
        switch error.code {
        case .full:
            self.init(507, "Insufficient Storage", "there is no room to store the change", retryAfter: 30)
        case .busy:
            self.init(503, "Service Unavailable", "too many changes wait to be stored", retryAfter: 1)
        case .away:
            self.init(
                503, "Service Unavailable", "the store is out of reach, and nothing was changed; try again in a moment",
                retryAfter: 1)
        case .unknown:
            self.init(
                503, "Service Unavailable",
                "the store doesn't answer; whether the change was stored is not known: check, or retry with "
                    + "the same Idempotency-Key", retryAfter: 5)
        case .readOnly, .locked, .corrupt, .otherLayout, .closed, .failed:
            self.init(503, "Service Unavailable", "the change could not be stored", retryAfter: 5)
        }
    }
}
