// Which URLs webhooks may call: whatever is let through names a host that was listed.

import HTTPClient
import Webhooks

extension FuzzTarget {
    static let webhooks = FuzzTarget("webhooks") { bytes throws(Violation) in
        let text = FuzzInput(bytes).text
        let url: TransferURL
        do throws(WebhookRefusal) {
            url = try WebhookProperties.policy.check(text)
        } catch {
            return try require(!error.reason.isEmpty, "a refusal without words")
        }
        try require(url.scheme == "http" || url.scheme == "https", "\(url.scheme) is let through")
        let isListed =
            url.host == "hooks.example.com" || url.host.hasSuffix(".example.org") || url.host == "192.0.2.1"
            || url.host == "10.0.0.7" || url.host == "2001:db8::1"
        try require(isListed, "\(url.host) is let through")
        try require(TransferURL(text) == url, "a URL is read as two")
        try require(!url.host.isEmpty && url.host == url.host.lowercased(), "\(url.host) is no host")
    }
}

enum WebhookProperties {
    static let policy: WebhookPolicy = {
        let hosts = ["hooks.example.com", "*.example.org", "192.0.2.1", "10.0.0.7", "2001:db8::1"]
        return (try? WebhookPolicy(hosts: hosts, networks: ["10.0.0.0/8"])) ?? .closed
    }()
}
