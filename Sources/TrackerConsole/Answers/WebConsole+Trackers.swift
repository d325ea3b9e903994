import DocumentTools
import TrackerConfig

extension WebConsole {
    /// The settings, with their layers, of the tracker named by `?namespace=`.
    func settings(_ request: ConsoleRequest) throws(ConsoleError) -> JSONObject {
        guard let namespace = request.query("namespace") else {
            throw ConsoleError(400, "expected ?namespace=NAME; the numbers of all trackers are in status")
        }
        guard let tracker = setup.registry.tracker(namespace) else {
            throw ConsoleError(404, "there is no tracker \(namespace.excerpt)")
        }
        let settings = tracker.explanations().map { explanation -> JSONValue in
            var setting = explanation.wholeJSON.object ?? [:]
            setting["field"] = .string(explanation.field)
            return .object(setting)
        }
        let endpoint = tracker.network.explanation(\.endpoint).value ?? ""
        return ["tracker": ["namespace": .string(namespace), "endpoint": endpoint, "settings": .array(settings)]]
    }
}
