import TrackerConfig
import TrackerCore

extension Driver {
    /// Runs a command about features or experiments; nil if it is another command.
    func obeyFeatures(_ command: Command) throws(CommandError) -> JSONValue? {
        switch command.name {
        case "enabled":
            return .bool(setup.features.isEnabled(try command.required("feature"), for: try command.context()))
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
            // ``watch(_:)`` starts after the answer.
            _ = try command.required("feature")
            return [:]
        default: return nil
        }
    }

    /// Prints the current values of a feature, then its changes.
    func watch(_ command: Command) throws(CommandError) {
        setup.features.onChange(of: try command.required("feature")) { [output] change in
            output.write("change", change.line)
        }
    }

    private func detail(_ command: Command) throws(CommandError) -> JSONValue {
        if try command.text("variable") != nil { return try read(command) { Self.detail($0) } }
        let fallback = command.json("default")
        let detail = setup.features.detail(
            try command.required("feature"), default: fallback.bool ?? false, for: try command.context())
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

    /// The explanation of a value; a variable is read as the type of the default.
    private func trace(_ command: Command) throws(CommandError) -> JSONValue {
        let (feature, context) = (try command.required("feature"), try command.context())
        guard let variable = try command.text("variable") else {
            return .object(setup.features.explain(feature, for: context).json)
        }
        func explain<Value: DriverValue>(_ fallback: Value) -> JSONValue {
            .object(setup.features.explain(feature, variable: variable, as: Value.self, for: context).json)
        }
        return explain(command.json("default").native)
    }

    /// Reads a variable as the type of the default.
    private func read(
        _ command: Command, _ show: (EvaluationDetail<JSONValue>) -> JSONValue
    ) throws(CommandError) -> JSONValue {
        let fallback = try command.requiredNode("default").value
        let (feature, variable) = (try command.required("feature"), try command.required("variable"))
        let context = try command.context()
        func read<Value: DriverValue>(_ fallback: Value) -> EvaluationDetail<JSONValue> {
            let reading = setup.features.detail(feature, variable: variable, default: fallback, for: context)
            return EvaluationDetail(
                value: reading.value.json, source: reading.source, reason: reading.reason, rule: reading.rule,
                error: reading.error)
        }
        return show(read(fallback.native))
    }

    private func variant(_ command: Command) throws(CommandError) -> JSONValue {
        let assignment = setup.experiments.variant(
            of: try command.required("experiment"), default: try command.required("default"),
            for: try command.context() ?? .empty)
        let values = assignment.values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.object($0.value)) }
        return [
            "variant": .string(assignment.variant), "reason": .string(assignment.reason.rawValue),
            "values": .object(JSONObject(values)),
        ]
    }

    private func override(_ command: Command) throws(CommandError) -> JSONValue {
        let (feature, variable) = (try command.required("feature"), try command.text("variable"))
        let value = try command.requiredNode("value").value
        guard variable != nil || value.bool != nil else {
            throw command.fault("'value' is not a boolean, and without 'variable' it says whether the feature is on")
        }
        try command.obey {
            if let variable {
                try setup.features.overrides.set(value, for: feature, variable: variable)
            } else {
                try setup.features.overrides.setEnabled(value == true, for: feature)
            }
        }
        return [:]
    }

    private func deleteOverride(_ command: Command) throws(CommandError) -> JSONValue {
        let (feature, variable) = (try command.required("feature"), try command.text("variable"))
        try command.obey { try setup.features.overrides.remove(feature, variable: variable) }
        return [:]
    }

    /// Removes the assignments of units, and returns how many were removed.
    func forget(_ command: Command) async throws(CommandError) -> JSONValue {
        guard let units = try command.object("unit"), !units.isEmpty else {
            throw command.fault("'unit' is missing or empty")
        }
        var count = 0
        for (name, id) in units.members {
            guard let id = id.string else { throw command.fault("'unit.\(name)' is not a string") }
            do {
                count += try await setup.experiments.forget(ExperimentUnit(name: name, id: id))
            } catch {
                throw command.fault("\(error)")
            }
        }
        return .int(count)
    }
}
