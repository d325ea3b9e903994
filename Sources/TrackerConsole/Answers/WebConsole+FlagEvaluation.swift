import TrackerConfig
import TrackerCore

extension WebConsole {
    /// Evaluates one flag, for `POST ofrep/v1/evaluate/flags/KEY`. With `exposure` it is recorded like a read in code,
    /// which a read-only console rejects; with `?trace` the answer includes the explanation.
    func evaluateFlag(_ key: String, _ request: ConsoleRequest) -> ConsoleResponse {
        do throws(FlagFault) {
            let asked = try FlagRequest(request)
            guard options.allowsChanges || !asked.recordsExposure else {
                let reason = "this console is read-only and records no exposures; set ConsoleOptions.allowsChanges"
                throw FlagFault(.general, reason, status: 403)
            }
            let evaluation = FlagEvaluation(setup.features, for: asked.context, records: asked.recordsExposure)
            return ConsoleResponse(json: try evaluation.flag(key, isTraced: request.isSet("trace")))
        } catch {
            return ConsoleResponse(json: error.json(of: key), status: error.status)
        }
    }

    /// Evaluates all flags, for `POST ofrep/v1/evaluate/flags`: 304 without a body if the client has the same values.
    func evaluateFlags(_ request: ConsoleRequest) -> ConsoleResponse {
        do throws(FlagFault) {
            let asked = try FlagRequest(request)
            // A client that requests all flags shows its user only some of them, and the console cannot know which.
            if asked.recordsExposure {
                throw FlagFault(.general, "exposures are recorded for one flag at a time, not for all at once")
            }
            var writer = ByteWriter(capacity: 4096)
            let stream: JSONValue = ["type": "sse", "endpoint": ["requestUri": .string("\(path)/ofrep/v1/events")]]
            writer.append(
                json: [
                    "flags": .array(FlagEvaluation(setup.features, for: asked.context).flags), "eventStreams": [stream],
                ] as JSONObject)
            let bytes = writer.array
            var hash = StableHash()
            hash.combine(bytes)
            let tag = HTTPHeader(name: "ETag", value: "\"\(hash.hex)\"")
            let known = (request.header("if-none-match") ?? "").split(separator: ",").map { String($0).trimmed }
            guard !known.contains("*"), !known.contains(tag.value), !known.contains("W/\(tag.value)") else {
                return ConsoleResponse(304, [tag], .bytes([]))
            }
            return ConsoleResponse(
                200, [HTTPHeader(name: "Content-Type", value: "application/json"), tag], .bytes(bytes))
        } catch {
            return ConsoleResponse(json: error.json(), status: error.status)
        }
    }
}
