import TrackerConfig

extension WebConsole {
    /// Evaluates one flag, as `POST ofrep/v1/evaluate/flags/KEY`.
    func evaluateFlag(_ key: String, _ body: [UInt8]) -> ConsoleResponse {
        do throws(FlagFault) {
            let context = try FeatureContext(flagRequest: body)
            return ConsoleResponse(json: try FlagEvaluation(setup.features, for: context).flag(key))
        } catch {
            return ConsoleResponse(json: error.json(of: key), status: error.status)
        }
    }

    /// Evaluates all flags, as `POST ofrep/v1/evaluate/flags`: 304 without a body if the client has the same values.
    func evaluateFlags(_ request: ConsoleRequest) -> ConsoleResponse {
        do throws(FlagFault) {
            let context = try FeatureContext(flagRequest: request.body)
            var writer = ByteWriter(capacity: 4096)
            writer.append(json: ["flags": .array(FlagEvaluation(setup.features, for: context).flags)] as JSONObject)
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

extension FeatureContext {
    /// Reads OpenFeature's evaluation context: `{"context": {"targetingKey": "u-1", "country": "US", "plan": "pro"}}`.
    ///
    /// The targeting key is the id of the unit ``FlagEvaluation/unit``, unless the context has a member of that name. All
    /// members are attributes, and may be units as well.
    fileprivate init(flagRequest body: [UInt8]) throws(FlagFault) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(body).value
        } catch {
            throw FlagFault(.parseError, "the body cannot be read as JSON: \(error)")
        }
        guard let request = json.object else {
            throw FlagFault(.parseError, "expected an object, found \(json.kind)")
        }
        let context = request["context"] ?? [:]
        guard let attributes = context.object else {
            throw FlagFault(.invalidContext, "context: expected an object, found \(context.kind)")
        }
        self.init(
            country: attributes["country"]?.string, language: attributes["language"]?.string, attributes: attributes)
        guard let key = attributes["targetingKey"], key != .null else { return }
        guard let id = key.string else {
            throw FlagFault(.invalidContext, "context.targetingKey: expected a string, found \(key.kind)")
        }
        if !id.isEmpty, attributes[FlagEvaluation.unit] == nil { units[FlagEvaluation.unit] = id }
    }
}
