import FoundationEssentials
import TrackerConfig

extension WebConsole {
    /// The whole status, its dates in UTC as ISO 8601 writes them.
    var status: JSONObject {
        get throws(ConsoleError) { try Self.json(of: setup.status).object ?? JSONObject() }
    }

    /// The effective configuration as a file to keep, without secrets.
    var configuration: ConsoleResponse {
        var writer = ByteWriter(capacity: 4096)
        writer.append(pretty: .object(setup.effectiveConfiguration))
        writer.append("\n")
        return ConsoleResponse(
            200,
            [
                HTTPHeader(name: "Content-Type", value: "application/json"),
                HTTPHeader(name: "Content-Disposition", value: #"attachment; filename="configuration.json""#),
            ], .bytes(writer.array))
    }

    /// JSON of a part of the status.
    static func json(of value: some Encodable) throws(ConsoleError) -> JSONValue {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        do throws(JSONEncodingError) {
            return try JSONValue(encoding: value, by: encoder)
        } catch {
            throw ConsoleError(500, "the status cannot be written as JSON: \(error.subject)")
        }
    }
}
