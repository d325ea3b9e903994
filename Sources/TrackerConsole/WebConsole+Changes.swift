import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Does what is asked.
    /// - Returns: An empty object; a warning where it is in effect and could not be kept.
    func perform(_ change: ConsoleRoute.Change, _ body: [UInt8]) async throws(ConsoleError) -> JSONObject {
        let overrides = setup.features.overrides
        switch change {
        case .refresh:
            let outcome = await setup.refresh()
            return ["outcome": FetchRecord(outcome, at: setup.pipeline.now).json]
        case .setEnabled(let feature):
            guard setup.features.store.layers.has(feature) else { throw Self.unknown("feature", feature) }
            let value = try value(body)
            guard let isEnabled = value.bool else {
                throw ConsoleError(422, "expected a boolean, found \(value.kind)")
            }
            return kept { () throws(FeatureError) in try overrides.setEnabled(isEnabled, for: feature) }
        case .resetEnabled(let feature):
            return kept { () throws(FeatureError) in try overrides.remove(feature) }
        case .setVariable(let key):
            let value = try value(body)
            try check(value, for: key)
            return kept { () throws(FeatureError) in try overrides.set(value, for: key.feature, variable: key.variable)
            }
        case .resetVariable(let key):
            return kept { () throws(FeatureError) in try overrides.remove(key.feature, variable: key.variable) }
        case .force(let id):
            guard let experiment = setup.features.store.layers.experiments.experiment(id)?.experiment else {
                throw Self.unknown("experiment", id)
            }
            let value = try value(body)
            guard let variant = value.string, experiment.variants.contains(where: { $0.name == variant }) else {
                throw ConsoleError(422, "\(id.excerpt) has no variant \(value)")
            }
            return kept { () throws(FeatureError) in try overrides.force(variant, of: id) }
        case .stopForcing(let id):
            return kept { () throws(FeatureError) in try overrides.force(nil, of: id) }
        case .removeOverrides:
            return kept { () throws(FeatureError) in try overrides.removeAll() }
        }
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

    /// Makes a change that is in effect also where it cannot be kept on disk.
    private func kept(_ change: () throws(FeatureError) -> Void) -> JSONObject {
        do throws(FeatureError) {
            try change()
            return [:]
        } catch {
            return ["warning": .string(error.description)]
        }
    }

    private static func unknown(_ what: String, _ name: String) -> ConsoleError {
        ConsoleError(404, "there is no \(what) \(name.excerpt)")
    }
}
