import FoundationEssentials

// Answers of etcd's JSON gateway: 64-bit numbers are strings, bytes are in Base64, and zero values are left out.

/// A 64-bit number.
struct EtcdNumber: Decodable {
    let value: Int64

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Int64(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no number")
        }
        self.value = value
    }
}

struct EtcdKeyValue: Decodable {
    let mod_revision: EtcdNumber?
    let value: String?
}

/// Answers of `/v3/kv/range`, and of `/v3/kv/txn` with a range in each branch.
struct EtcdRange: Decodable {
    let kvs: [EtcdKeyValue]?
}

struct EtcdTransaction: Decodable {
    struct Response: Decodable {
        let response_range: EtcdRange?
    }

    let succeeded: Bool?
    let responses: [Response]?
}

struct EtcdToken: Decodable {
    let token: String
}

/// The body of a failed call.
struct EtcdFailure: Decodable {
    let message: String?
    let error: String?
}

/// A line of `/v3/watch`.
struct EtcdWatchLine: Decodable {
    struct Result: Decodable {
        let created: Bool?
        let canceled: Bool?
        let cancel_reason: String?
        let events: [Event]?
    }

    struct Event: Decodable {}

    struct Failure: Decodable {
        let http_code: Int?
        let message: String?
    }

    let result: Result?
    let error: Failure?
}
