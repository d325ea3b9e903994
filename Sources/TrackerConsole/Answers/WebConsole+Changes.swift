import FoundationEssentials
import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Does what is asked.
    /// - Returns: How a refresh ended; of a change, what it replaced, and a warning if the change is in effect but not on
    ///   the disk.
    func perform(_ change: ConsoleRoute.Change, _ request: ConsoleRequest) async throws(ConsoleError) -> JSONObject {
        switch change {
        case .refresh:
            let outcome = await setup.refresh()
            let end = ConfigurationChange(outcome, at: Date(milliseconds: setup.pipeline.now))
            return ["outcome": end.outcome]
        case .setEnabled(let feature):
            guard setup.features.store.layers.has(feature) else { throw Self.unknown("feature", feature) }
            let asked = try overrideRequest(request)
            guard case .bool = asked.value else {
                throw ConsoleError(422, "expected a boolean, found \(asked.value.kind)")
            }
            return try set(asked, for: .enabled(ExactText(feature)))
        case .resetEnabled(let feature):
            return try remove(.enabled(ExactText(feature)), request)
        case .setVariable(let key):
            let asked = try overrideRequest(request)
            try check(asked.value, for: key)
            return try set(asked, for: .variable(key))
        case .resetVariable(let key):
            return try remove(.variable(key), request)
        case .force(let id):
            guard let experiment = setup.features.store.layers.experiments.experiment(id)?.experiment else {
                throw Self.unknown("experiment", id)
            }
            let asked = try overrideRequest(request)
            guard let variant = asked.value.string,
                experiment.variants.contains(where: { $0.name.isExactly(variant) })
            else {
                throw ConsoleError(422, "\(id.excerpt) has no variant \(asked.value)")
            }
            return try set(asked, for: .variant(ExactText(id)))
        case .stopForcing(let id):
            return try remove(.variant(ExactText(id)), request)
        case .removeOverrides:
            let author = try remover(request)
            let outcome = setup.features.overrides.clear(by: author)
            return Self.answer(outcome, previous: .array(outcome.previous.map { .object($0.json) }))
        }
    }

    private func overrideRequest(_ request: ConsoleRequest) throws(ConsoleError) -> OverrideRequest {
        try OverrideRequest(
            try object(request.body), author: try author(request), now: Date(milliseconds: setup.pipeline.now))
    }

    /// The author of a change: the query's `by`, else the client as the server knows it; nil if neither is known.
    private func author(_ request: ConsoleRequest) throws(ConsoleError) -> String? {
        if let asked = request.query("by"), let author = try OverrideRequest.author(asked) { return author }
        return try request.client.flatMap { (client) throws(ConsoleError) in try OverrideRequest.author(client) }
    }

    private func remover(_ request: ConsoleRequest) throws(ConsoleError) -> String {
        if let author = try author(request) { return author }
        throw ConsoleError(400, "the removal of an override needs an author: send ?by=NAME in the query")
    }

    private func set(_ asked: OverrideRequest, for target: OverrideTarget) throws(ConsoleError) -> JSONObject {
        let outcome = try changed { () throws(FeatureError) in
            try setup.features.overrides.set(
                JSONValue(override: asked.value, at: "\(target)"), for: target, asked.details)
        }
        return Self.answer(outcome, previous: outcome.previous.first.map { .object($0.json) } ?? .null)
    }

    private func remove(_ target: OverrideTarget, _ request: ConsoleRequest) throws(ConsoleError) -> JSONObject {
        let details = OverrideDetails(by: try remover(request))
        let outcome = try changed { () throws(FeatureError) in
            try setup.features.overrides.set(nil, for: target, details)
        }
        return Self.answer(outcome, previous: outcome.previous.first.map { .object($0.json) } ?? .null)
    }

    /// Makes a change; one that is in effect is no error even if it cannot be kept on disk.
    private func changed(
        _ change: () throws(FeatureError) -> FeatureOverrides.Outcome
    ) throws(ConsoleError) -> FeatureOverrides.Outcome {
        do throws(FeatureError) {
            return try change()
        } catch {
            throw ConsoleError(422, error.description)
        }
    }

    /// What a change replaced, in the form in which it is put back: of one that replaced nothing it is null, and the
    /// change is undone by a `DELETE`.
    private static func answer(_ outcome: FeatureOverrides.Outcome, previous: JSONValue) -> JSONObject {
        var answer: JSONObject = ["previous": previous]
        answer["warning"] = outcome.failure.map { .string($0.description) }
        return answer
    }

    /// A JSON value of a request.
    private func value(_ body: [UInt8]) throws(ConsoleError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(body).value
        } catch {
            throw ConsoleError(400, "the body cannot be read as JSON: \(error)")
        }
    }

    func object(_ body: [UInt8]) throws(ConsoleError) -> JSONObject {
        let value = try value(body)
        guard let object = value.object else { throw ConsoleError(422, "expected an object, found \(value.kind)") }
        return object
    }

    /// A service that reads a number must not be given a text.
    private func check(_ value: JSONValue, for key: VariableKey) throws(ConsoleError) {
        let layers = setup.features.store.layers
        guard let kind = layers.kind(of: key) else { throw Self.unknown("variable", "\(key)") }
        guard !layers.isSecret(key) else {
            throw ConsoleError(422, "\(key) is encrypted, and a console does not change secrets")
        }
        guard let given = VariableKind(value), kind.takes(given) else {
            throw ConsoleError(422, "\(key): expected \(kind.words), found \(value.kind)")
        }
    }

    private static func unknown(_ what: String, _ name: String) -> ConsoleError {
        ConsoleError(404, "there is no \(what) \(name.excerpt)")
    }
}

extension FeatureOverride {
    /// The override without what is unknown, in the form in which it is put back; a secret has no value.
    fileprivate var json: JSONObject {
        JSONObject(present: [
            ("feature", feature.map(JSONValue.string)), ("variable", variable.map(JSONValue.string)),
            ("experiment", experiment.map(JSONValue.string)), ("value", value),
            ("time", time?.iso8601.map(JSONValue.string)), ("by", by.map(JSONValue.string)),
            ("note", note.map(JSONValue.string)), ("expiry", .string(expiry?.iso8601 ?? OverrideRequest.never)),
        ])
    }
}
