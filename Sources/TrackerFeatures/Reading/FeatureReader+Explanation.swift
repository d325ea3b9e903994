extension FeatureReader {
    /// Explains a read. Records no exposure, stores nothing, and takes at most twice the steps of a read.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - type: The type that the variable is read as.
    ///   - request: The layers and the context.
    /// - Returns: The explanation.
    func explain<Value: Decodable>(
        _ key: FeatureKey, as type: Value.Type, _ request: Request
    ) -> FeatureExplanation {
        ReadBudget.open { budget in
            ReadBudget.open { reasons in
                let explainer = Explainer(self, request, budget, reasons: reasons)
                return explainer.explanation(of: key, explainer.request, budget) {
                    self.problem($0, key, as: type)
                }
            }
        }
    }

    /// Explains a read that tries no variable's type and decrypts nothing, for tools.
    /// - Parameters:
    ///   - key: The variable, or whether a feature is enabled.
    ///   - layers: The layers.
    ///   - context: The context; nil for a read without one.
    ///   - budget: The work that is left to the read, and to others with which it is shared.
    ///   - reasons: The work that is left to the reasons.
    /// - Returns: The explanation.
    package func explain(
        _ key: FeatureKey, in layers: FeatureLayers, for context: FeatureContext?, _ budget: ReadBudget,
        reasons: ReadBudget
    ) -> FeatureExplanation {
        budget.forgetFault()
        let explainer = Explainer(self, Request(layers: layers, context: context), budget, reasons: reasons)
        return explainer.explanation(of: key, explainer.request, budget) { candidate in
            if case .enabled = key { self.problem(candidate, key, as: Bool.self) } else { nil }
        }
    }

    /// Explains what an experiment gives to a context, whatever values its variants have.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - layers: The layers.
    ///   - context: The context; nil for a read without one.
    /// - Returns: The explanation.
    package func explain(
        _ experiment: CompiledExperiment, in layers: FeatureLayers, for context: FeatureContext?
    ) -> FeatureExplanation.Step {
        ReadBudget.open { budget in
            ReadBudget.open { reasons in
                let request = Request(layers: layers, context: context, isNested: true)
                let explainer = Explainer(self, request, budget, reasons: reasons)
                return explainer.step(of: experiment, of: nil, nil, explainer.request, budget) { _, _ in nil }
            }
        }
    }

    /// The values of a key, the highest in precedence first.
    package func candidates(_ key: FeatureKey, in layers: FeatureLayers, for context: FeatureContext?) -> [Candidate] {
        var candidates: [Candidate] = []
        resolve(key, Request(layers: layers, context: context, records: false)) { candidate in
            candidates.append(candidate)
            return .passed
        }
        return candidates
    }
}
