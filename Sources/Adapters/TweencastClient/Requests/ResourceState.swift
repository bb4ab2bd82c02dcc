// What a server says of a resource: the members that most programs need, and the whole answer.

import FoundationEssentials

/// What a resource is.
public enum ResourceKind: String, CaseIterable, Hashable, Sendable {
    case ticker, progress, schedule

    /// Its list in addresses.
    var path: String {
        switch self {
        case .ticker: "tickers"
        case .progress: "progress"
        case .schedule: "schedules"
        }
    }

    func path(of id: String) throws(ClientError) -> String { "/v1/\(path)/\(try ResourceName.escaped(id))" }
}

/// A resource as it was when the server answered.
public struct ResourceState: Hashable, Sendable {
    public let kind: ResourceKind
    public let id: String
    /// What it shows.
    public let text: String
    /// The number behind the text; nil for a schedule without a date.
    public let value: Double?
    /// How much of a progress is done, from 0 to 1; nil while the maximum is unknown.
    public let fraction: Double?
    /// The server's whole answer, JSON; empty for items of a list.
    public internal(set) var json = ""
}

extension ResourceState: Decodable {
    private enum Field: String, CodingKey {
        case ticker, progress, schedule, text, value, fraction
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Field.self)
        let ids = try [(ResourceKind.ticker, Field.ticker), (.progress, .progress), (.schedule, .schedule)]
            .compactMap { kind, field in try container.decodeIfPresent(String.self, forKey: field).map { (kind, $0) } }
        guard let (kind, id) = ids.first else {
            throw DecodingError.dataCorrupted(.init(codingPath: container.codingPath, debugDescription: "no id"))
        }
        (self.kind, self.id) = (kind, id)
        text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
        value = try container.decodeIfPresent(Double.self, forKey: .value)
        fraction = try container.decodeIfPresent(Double.self, forKey: .fraction)
    }

    /// - Parameter json: The server's answer.
    init(json: [UInt8]) throws(ClientError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw ClientError.notUnderstood(server: "the server")
        }
        self.json = String(decoding: json, as: UTF8.self)
    }
}

/// A page of a list.
struct ResourcePage: Decodable {
    let items: [ResourceState]
    let next: String?

    init(json: [UInt8]) throws(ClientError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw ClientError.notUnderstood(server: "the server")
        }
    }
}
