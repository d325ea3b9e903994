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
            return try set(FeatureOverride(feature: feature), request) { (value) throws(ConsoleError) in
                guard case .bool = value else { throw ConsoleError(422, "expected a boolean, found \(value.kind)") }
            }
        case .resetEnabled(let feature):
            return try remove(FeatureOverride(feature: feature), request)
        case .setVariable(let key):
            return try set(FeatureOverride(feature: key.feature, variable: key.variable), request) {
                (value) throws(ConsoleError) in try check(value, for: key)
            }
        case .resetVariable(let key):
            return try remove(FeatureOverride(feature: key.feature, variable: key.variable), request)
        case .force(let id):
            guard let experiment = setup.features.store.layers.experiments.experiment(id)?.experiment else {
                throw Self.unknown("experiment", id)
            }
            return try set(FeatureOverride(experiment: id), request) { (value) throws(ConsoleError) in
                guard experiment.variants.contains(where: { value.string?.isExactly($0.name) ?? false }) else {
                    throw ConsoleError(422, "\(id.excerpt) has no variant \(value)")
                }
            }
        case .stopForcing(let id):
            return try remove(FeatureOverride(experiment: id), request)
        case .removeOverrides:
            let outcome = setup.features.overrides.clear(by: try remover(request))
            return Self.answer(outcome, previous: .array(outcome.previous.map { .object($0.requestJSON) }))
        case .release(let version):
            guard await setup.updater.release(version, by: try remover(request)) else {
                throw ConsoleError(404, "version \(version) is not held back because of its processes")
            }
            return ["released": .int(version)]
        }
    }

    /// The author of a change: the query's `by`, else the client as the server knows it; nil if neither is known.
    private func author(_ request: ConsoleRequest) throws(ConsoleError) -> String? {
        if let asked = request.query("by"), let author = try FeatureOverride.author(asked) { return author }
        return try request.client.flatMap { (client) throws(ConsoleError) in try FeatureOverride.author(client) }
    }

    private func remover(_ request: ConsoleRequest) throws(ConsoleError) -> String {
        if let author = try author(request) { return author }
        throw ConsoleError(400, "this change needs an author: send ?by=NAME in the query")
    }

    private func set(
        _ override: FeatureOverride, _ request: ConsoleRequest, _ check: (JSONValue) throws(ConsoleError) -> Void
    ) throws(ConsoleError) -> JSONObject {
        var override = override
        let now = Date(milliseconds: setup.pipeline.now)
        try override.read(try object(request.body), author: try author(request), now: now)
        if let value = override.value { try check(value) }
        return try change(override)
    }

    private func remove(_ override: FeatureOverride, _ request: ConsoleRequest) throws(ConsoleError) -> JSONObject {
        var override = override
        override.by = try remover(request)
        return try change(override)
    }

    /// Makes a change; one that is in effect is no error even if it cannot be kept on disk.
    private func change(_ override: FeatureOverride) throws(ConsoleError) -> JSONObject {
        do throws(FeatureError) {
            if let value = override.value { _ = try JSONValue(override: value, at: override.name) }
            let outcome = try setup.features.overrides.set(override)
            return Self.answer(outcome, previous: outcome.previous.first.map { .object($0.requestJSON) } ?? .null)
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
