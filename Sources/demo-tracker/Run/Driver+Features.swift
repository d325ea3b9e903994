import TrackerConfig
import TrackerCore

extension Driver {
    /// Obeys the commands about features and experiments; nil where the command is none of them.
    func obeyFeatures(_ command: Command) throws(CommandError) -> JSONValue? {
        switch command.name {
        case "enabled":
            return .bool(
                setup.features.isEnabled(try command.required("feature"), for: try command.context(setup.features)))
        case "value":
            return try read(command) { ["value": $0.value, "source": .string($0.source.word)] }
        case "detail":
            guard var answer = try detail(command).object else { return nil }
            if command.json("trace").bool ?? false { answer["trace"] = try trace(command) }
            return .object(answer)
        case "override": return try override(command)
        case "deleteOverride": return try deleteOverride(command)
        case "variant": return try variant(command)
        case "watch":
            // It begins after the answer, see ``watch(_:)``.
            _ = try command.required("feature")
            return [:]
        default: return nil
        }
    }

    /// Prints the changes of a feature from now on, what is in effect first.
    func watch(_ command: Command) throws(CommandError) {
        let output = output
        setup.features.onChange(of: try command.required("feature")) { output.write($0) }
    }

    private func detail(_ command: Command) throws(CommandError) -> JSONValue {
        if try command.text("variable") != nil { return try read(command) { Self.detail($0) } }
        let fallback = command.json("default")
        let detail = setup.features.detail(
            try command.required("feature"), default: fallback.bool ?? false, for: try command.context(setup.features))
        return Self.detail(
            EvaluationDetail(
                value: detail.source == .fallback ? fallback : .bool(detail.value), source: detail.source,
                reason: detail.reason, rule: detail.rule, error: detail.error))
    }

    private static func detail(_ reading: EvaluationDetail<JSONValue>) -> JSONValue {
        [
            "value": reading.value, "source": .string(reading.source.word),
            "reason": .string(reading.reason.rawValue), "variant": reading.variant.map(JSONValue.string) ?? .null,
            "rule": reading.rule.map(JSONValue.string) ?? .null,
            "error": reading.error.map { .string("\($0)") } ?? .null,
        ]
    }

    /// The explanation of a value; of a variable as the type of the default.
    private func trace(_ command: Command) throws(CommandError) -> JSONValue {
        let (feature, context) = (try command.required("feature"), try command.context(setup.features))
        guard let variable = try command.text("variable") else {
            return .object(setup.features.explain(feature, for: context).json)
        }
        func explain<Value: Decodable>(_ type: Value.Type) -> JSONValue {
            .object(setup.features.explain(feature, variable: variable, as: type, for: context).json)
        }
        return switch command.json("default") {
        case .bool: explain(Bool.self)
        case .int: explain(Int.self)
        case .double: explain(Double.self)
        case .string: explain(String.self)
        case .object: explain(JSONObject.self)
        case .array: explain([JSONValue].self)
        case .null: explain(JSONValue.self)
        }
    }

    private func read(
        _ command: Command, _ show: (EvaluationDetail<JSONValue>) -> JSONValue
    ) throws(CommandError) -> JSONValue {
        let fallback = try command.requiredJSON("default")
        // The type that is asked for is that of the default.
        switch fallback {
        case .bool(let value): return try read(command, show, value) { .bool($0) }
        case .int(let value): return try read(command, show, value) { .int($0) }
        case .double(let value): return try read(command, show, value) { .double($0) }
        case .string(let value): return try read(command, show, value) { .string($0) }
        case .object(let value): return try read(command, show, value) { .object($0) }
        case .null: return try read(command, show, fallback) { $0 }
        case .array(let elements):
            // By what the elements are, and not by what they could be read as: ["45"] asks for texts.
            if let value = elements.all(\.bool) {
                return try read(command, show, value) { .array($0.map(JSONValue.bool)) }
            }
            if let value = elements.all(\.int) {
                return try read(command, show, value) { .array($0.map(JSONValue.int)) }
            }
            if let value = elements.all(\.double) {
                return try read(command, show, value) { .array($0.map(JSONValue.double)) }
            }
            if let value = elements.all(\.string) {
                return try read(command, show, value) { .array($0.map(JSONValue.string)) }
            }
            return try read(command, show, elements) { .array($0) }
        }
    }

    private func read<Value: Decodable>(
        _ command: Command, _ show: (EvaluationDetail<JSONValue>) -> JSONValue, _ fallback: Value,
        _ json: (Value) -> JSONValue
    ) throws(CommandError) -> JSONValue {
        let reading = setup.features.detail(
            try command.required("feature"), variable: try command.required("variable"), default: fallback,
            for: try command.context(setup.features))
        return show(
            EvaluationDetail(
                value: json(reading.value), source: reading.source, reason: reading.reason, rule: reading.rule,
                error: reading.error))
    }

    private func variant(_ command: Command) throws(CommandError) -> JSONValue {
        let assignment = setup.experiments.variant(
            of: try command.required("experiment"), default: try command.required("default"),
            for: try command.context(setup.features) ?? .empty)
        let values = assignment.values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.object($0.value)) }
        return [
            "variant": .string(assignment.variant), "reason": .string(assignment.reason.rawValue),
            "values": .object(JSONObject(values)),
        ]
    }

    private func override(_ command: Command) throws(CommandError) -> JSONValue {
        let feature = try command.required("feature")
        let variable = try command.text("variable")
        let value = try command.requiredJSON("value")
        do throws(FeatureError) {
            if let variable {
                try setup.features.overrides.set(value, for: feature, variable: variable)
                return [:]
            }
            if let isEnabled = value.bool {
                try setup.features.overrides.setEnabled(isEnabled, for: feature)
                return [:]
            }
        } catch {
            throw command.fault("\(error)")
        }
        throw command.fault("'value' is not a boolean, and without 'variable' it says whether the feature is on")
    }

    private func deleteOverride(_ command: Command) throws(CommandError) -> JSONValue {
        let feature = try command.required("feature")
        let variable = try command.text("variable")
        do throws(FeatureError) {
            try setup.features.overrides.remove(feature, variable: variable)
            return [:]
        } catch {
            throw command.fault("\(error)")
        }
    }
}

extension [JSONValue] {
    /// The elements, if there are any and all are of one kind.
    fileprivate func all<Kind>(_ kind: (JSONValue) -> Kind?) -> [Kind]? {
        let elements = compactMap(kind)
        return elements.isEmpty || elements.count < count ? nil : elements
    }
}
