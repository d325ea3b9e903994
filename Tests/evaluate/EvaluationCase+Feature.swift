import TrackerConfig
import TrackerCore

extension EvaluationCase {
    /// Columns: name, context, feature's key, expected result.
    func feature() throws(Fault) -> JSONValue {
        let service = try GrowthBookCase(try object(1))
        return .object(service.result(of: try text(2)).json)
    }

    /// Columns: name, context, experiment, expected value, whether the unit takes part, whether the hash decided.
    func experimentRun() throws(Fault) -> JSONValue {
        var (context, experiment) = (try object(1), try object(2))
        guard let key = experiment["key"]?.string else {
            throw Fault(reason: "the experiment has no key")
        }
        if let url = context["url"]?.string, url.contains("?\(key)=") || url.contains("&\(key)=") {
            throw Fault(reason: "overrides in query strings are not supported")
        }
        guard let variations = experiment["variations"]?.array, let first = variations.first else {
            throw Fault(reason: "the experiment has no variations")
        }
        let forced = experiment["force"]
        experiment["force"] = nil
        // These are options of GrowthBook's SDK: it is off, or gives only forced variations. No payload has them.
        let isOff = context["enabled"]?.bool == false
        let isSilent = isOff || experiment["active"]?.bool == false || experiment["status"] == "draft"
        if isSilent || forced == nil && (context["qaMode"]?.bool == true || experiment["status"] == "stopped") {
            experiment["ranges"] = []
        }
        var features = context["features"]?.object ?? JSONObject()
        features["experiment"] = ["rules": [.object(experiment)]]
        context["features"] = .object(features)
        let service = try GrowthBookCase(context, forcesVariations: !isOff)
        let assignment = service.assignment(of: key)
        var index = assignment.isInExperiment ? service.index(of: assignment.variant, in: key) : nil
        let isHashed = assignment.reason != .forced && forced == nil
        // The coverage takes precedence over the forced variation, and the context's forced one over both.
        if index != nil, assignment.reason != .forced, let number = forced?.int {
            index = variations.indices.contains(number) ? number : nil
        }
        return [
            "value": index.map { variations[$0] } ?? first, "inExperiment": .bool(index != nil),
            "hashUsed": .bool(index != nil && isHashed),
        ]
    }

    /// Columns: name, context, stored documents, feature's key, expected result, expected documents.
    func stickyBucket() async throws(Fault) -> JSONValue {
        let context = try object(1)
        var documents = self[2].array ?? []
        documents += context["stickyBucketAssignmentDocs"]?.object?.members.map(\.value) ?? []
        let service = try GrowthBookCase(context, documents: documents)
        let result = service.result(of: try text(3))
        return [
            "experimentResult": result.experimentResult.map(JSONValue.object) ?? .null,
            "documents": .object(await service.documents()),
        ]
    }
}
