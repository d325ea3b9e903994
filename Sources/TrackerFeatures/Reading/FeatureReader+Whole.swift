extension FeatureReader {
    /// The value of a variable, decrypted.
    struct Plain: Equatable {
        let value: JSONValue
        /// Whether it was encrypted, so that no message may quote it.
        let isSecret: Bool
    }

    /// The value of a variable that is chosen for a whole feature.
    private struct Choice {
        let plain: Plain
        let content: VariableContent
        /// How many candidates come before it.
        let place: Int
    }

    /// A variable of a whole feature.
    private struct Member {
        let name: String
        let key: FeatureKey
        /// nil if no candidate can be decrypted.
        var choice: Choice?
        /// Why the highest candidate is not the choice.
        var failure: FeatureError?
    }

    /// A variable's value; nil if no source has it, or if it cannot be decrypted, which is logged.
    func value(_ key: VariableKey, _ request: Request) -> Plain? {
        var value: Plain?
        resolve(.variable(key), request) { candidate in
            do throws(FeatureError) {
                value = try plain(candidate, .variable(key))
            } catch {
                report(error, of: .variable(key))
            }
            return value == nil ? .passed : .taken
        }
        return value
    }

    /// A whole feature; nil if no source has it.
    func values(of feature: String, _ request: Request) -> FeatureValues? {
        ReadBudget.open { budget in
            var request = request
            request.budget = budget
            return allValues(of: feature, request)
        }
    }

    private func allValues(of feature: String, _ request: Request) -> FeatureValues? {
        var variables: [String: JSONValue] = [:]
        for variable in request.layers.variables(of: feature) {
            if let plain = value(VariableKey(feature, variable), request) { variables[variable] = plain.value }
        }
        guard request.layers.has(feature) || !variables.isEmpty else {
            if request.records { noteMiss(of: .enabled(feature), in: request.layers) }
            return nil
        }
        let isEnabled = isEnabled(feature, request)
        guard isEnabled != nil || !variables.isEmpty || isDefined(feature, request) else { return nil }
        return FeatureValues(isEnabled: isEnabled, variables: variables)
    }

    /// Whether a source has a feature at the time of the read.
    private func isDefined(_ feature: String, _ request: Request) -> Bool {
        request.layers.definitions(of: feature).contains { definition in
            guard let schedule = definition.schedule, let budget = request.budget else { return true }
            return isCurrent(schedule, request, budget)
        }
    }

    /// A whole feature as a type. A value that the type refuses falls through to the variable's next source.
    func feature<Value: Decodable>(
        _ feature: String, as type: Value.Type, _ request: Request
    ) throws(FeatureError) -> Value {
        try ReadBudget.open { budget throws(FeatureError) in
            var request = request
            request.budget = budget
            return try chosen(feature, as: type, request)
        }
    }

    private func chosen<Value: Decodable>(
        _ feature: String, as type: Value.Type, _ request: Request
    ) throws(FeatureError) -> Value {
        var members = request.layers.variables(of: feature).map { name in
            var member = Member(name: name, key: .variable(VariableKey(feature, name)))
            choose(&member, from: 0, request)
            return member
        }
        guard members.contains(where: { $0.choice != nil || $0.failure != nil }) || isDefined(feature, request) else {
            if request.records { noteMiss(of: .enabled(feature), in: request.layers) }
            throw FeatureError(.notFound, place: feature, reason: "no source has this feature")
        }
        while true {
            let value = Self.object(members)
            do {
                let decoded = try value.decoded(as: type)
                // The type did without them, or got another source's value.
                for member in members {
                    if let failure = member.failure { report(failure, of: member.key) }
                }
                guard record(&members, request) else { return decoded }
                // Another variant that the unit was given in the meantime counts, if the type takes it.
                return (try? Self.object(members).decoded(as: type)) ?? decoded
            } catch {
                try passOn(error, of: feature, &members, type, request)
            }
        }
    }

    private static func object(_ members: [Member]) -> JSONValue {
        .object(
            JSONObject(
                unique: members.compactMap { member in member.choice.map { (member.name, $0.plain.value) } }))
    }

    /// Passes the value that a type refuses on to the variable's next candidate.
    /// - Throws: Why the type cannot be read, if there is none.
    private func passOn(
        _ error: any Error, of feature: String, _ members: inout [Member], _ type: any Decodable.Type,
        _ request: Request
    ) throws(FeatureError) {
        // What could not be decrypted is missing to the type.
        if case .keyNotFound(let name, let context)? = error as? DecodingError, context.codingPath.isEmpty,
            let failure = members.first(where: { $0.name.isExactly(name.stringValue) })?.failure
        {
            throw failure
        }
        let secrets = Set(members.filter { $0.choice?.plain.isSecret == true }.map(\.name))
        let failure = FeatureError(error, of: feature, type, secrets: secrets)
        guard let name = (error as? DecodingError)?.member,
            let index = members.firstIndex(where: { $0.name.isExactly(name) }), let choice = members[index].choice
        else { throw failure }
        if members[index].failure == nil { members[index].failure = failure }
        choose(&members[index], from: choice.place + 1, request)
        if members[index].choice == nil { throw members[index].failure ?? failure }
    }

    /// Chooses the first candidate from a place on that can be decrypted; records nothing.
    private func choose(_ member: inout Member, from first: Int, _ request: Request) {
        var request = request
        request.records = false
        var (choice, failure): (Choice?, FeatureError?) = (nil, nil)
        var place = 0
        resolve(member.key, request) { candidate in
            defer { place += 1 }
            guard place >= first else { return .passed }
            do throws(FeatureError) {
                let plain = try plain(candidate, member.key)
                choice = Choice(plain: plain, content: candidate.content, place: place)
                return .taken
            } catch {
                if failure == nil { failure = error }
                return .passed
            }
        }
        member.choice = choice
        if member.failure == nil { member.failure = failure }
    }

    /// Records the evaluations of the variables whose values were used.
    /// - Returns: Whether a variable has another value than the one that was chosen.
    private func record(_ members: inout [Member], _ request: Request) -> Bool {
        // With a budget of its own: what was affordable to choose is affordable to record.
        ReadBudget.open { budget in
            var request = request
            request.budget = budget
            return recordAll(&members, request)
        }
    }

    private func recordAll(_ members: inout [Member], _ request: Request) -> Bool {
        var hasOther = false
        for index in members.indices {
            let key = members[index].key
            let chosen = members[index].choice
            var place = 0
            resolve(key, request) { candidate in
                defer { place += 1 }
                guard let chosen, place >= chosen.place else { return .passed }
                // A value that cannot be decrypted leaves the one that was chosen.
                if candidate.content != chosen.content, let plain = try? plain(candidate, key) {
                    members[index].choice = Choice(plain: plain, content: candidate.content, place: place)
                    hasOther = true
                }
                return .taken
            }
        }
        return hasOther
    }
}
