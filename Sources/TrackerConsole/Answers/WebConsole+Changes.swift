import DocumentTools
import FoundationEssentials
import TrackerConfig
import TrackerFeatures

extension WebConsole {
    /// Performs a change.
    /// - Returns: For a refresh, its outcome; for a change, the previous state, and a warning if the change is in
    ///   effect but not on the disk.
    func perform(_ change: ConsoleRoute.Change, _ request: ConsoleRequest) async throws(ConsoleError) -> JSONObject {
        switch change {
        case .refresh:
            let outcome = await setup.refresh()
            let end = ConfigurationChange(outcome, at: Date(milliseconds: setup.pipeline.now))
            return [
                "outcome": [
                    "time": .int(Int(end.lastTime.milliseconds)), "kind": .string(end.kind.rawValue),
                    "text": .string(end.text), "isTrouble": .bool(end.needsAttention),
                ]
            ]
        case .set(var override):
            let now = Date(milliseconds: setup.pipeline.now)
            try override.read(try object(request.body), now: now)
            override.by = try author(request, named: override.by)
            guard override.by != nil else {
                throw ConsoleError(
                    400, #"an override needs an author: send "by": "NAME" in the body or ?by=NAME in the query"#)
            }
            try check(override)
            return try apply(override)
        case .remove(var override):
            override.by = try remover(request)
            return try apply(override)
        case .removeAll:
            let outcome = setup.features.overrides.clear(by: try remover(request))
            return Self.answer(outcome, previous: .array(outcome.previous.map { .object($0.requestJSON) }))
        case .release(let version):
            guard await setup.updater.release(version, by: try remover(request)) else {
                throw ConsoleError(404, "version \(version) is not held back because of its processes")
            }
            return ["released": .int(version)]
        }
    }

    /// The author of a change: the user whom the server has authenticated, or else the name in the request; nil if
    /// there is neither.
    private func author(_ request: ConsoleRequest, named name: String? = nil) throws(ConsoleError) -> String? {
        for name in [request.client, name, request.query("by")] {
            if let author = try name.flatMap({ (name) throws(ConsoleError) in try FeatureOverride.author(name) }) {
                return author
            }
        }
        return nil
    }

    private func remover(_ request: ConsoleRequest) throws(ConsoleError) -> String {
        if let author = try author(request) { return author }
        throw ConsoleError(400, "this change needs an author: send ?by=NAME in the query")
    }

    /// Applies an override. If it is in effect but cannot be written to the disk, that is not an error.
    private func apply(_ override: FeatureOverride) throws(ConsoleError) -> JSONObject {
        do throws(FeatureError) {
            if let value = override.value { _ = try JSONValue(override: value, at: override.name) }
            let outcome = try setup.features.overrides.set(override)
            return Self.answer(outcome, previous: outcome.previous.first.map { .object($0.requestJSON) } ?? .null)
        } catch {
            throw ConsoleError(422, error.description)
        }
    }

    /// The answer to a change, with the previous override in the form of a request that restores it. It is null if
    /// there was none; then a `DELETE` undoes the change.
    private static func answer(_ outcome: FeatureOverrides.Outcome, previous: JSONValue) -> JSONObject {
        var answer: JSONObject = ["previous": previous]
        answer["warning"] = outcome.failure.map { .string($0.description) }
        return answer
    }

    /// The JSON object of a request.
    func object(_ body: [UInt8]) throws(ConsoleError) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body).value
        } catch {
            throw ConsoleError(400, "the body cannot be read as JSON: \(error)")
        }
        guard let object = value.object else { throw ConsoleError(422, "expected an object, found \(value.kind)") }
        return object
    }

    /// Checks the type of an override, because a service that reads a number must not get a string.
    private func check(_ override: FeatureOverride) throws(ConsoleError) {
        guard let value = override.value else { return }
        let layers = setup.features.store.layers
        if let id = override.experiment {
            guard let experiment = layers.experiments.experiment(id)?.experiment else {
                throw Self.unknown("experiment", id)
            }
            guard experiment.variants.contains(where: { value.string?.isExactly($0.name) ?? false }) else {
                throw ConsoleError(422, "\(id.excerpt) has no variant \(value)")
            }
        } else if let feature = override.feature, let variable = override.variable {
            let key = VariableKey(feature, variable)
            guard let kind = layers.kind(of: key) else { throw Self.unknown("variable", "\(key)") }
            guard !layers.isSecret(key) else {
                throw ConsoleError(422, "\(key) is encrypted, and a console does not change secrets")
            }
            guard let given = VariableKind(value), kind.takes(given) else {
                throw ConsoleError(422, "\(key): expected \(kind.words), found \(value.kind)")
            }
        } else if let feature = override.feature {
            guard layers.has(feature) else { throw Self.unknown("feature", feature) }
            guard case .bool = value else { throw ConsoleError(422, "expected a boolean, found \(value.kind)") }
        }
    }

    private static func unknown(_ what: String, _ name: String) -> ConsoleError {
        ConsoleError(404, "there is no \(what) \(name.excerpt)")
    }
}
