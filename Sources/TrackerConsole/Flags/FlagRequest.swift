import TrackerConfig
import TrackerCore

/// The body of a request for flags: `{"context": {"targetingKey": "u-1", "country": "US", "plan": "pro"}, "exposure":
/// true}`.
struct FlagRequest {
    /// OpenFeature's evaluation context.
    ///
    /// The targeting key is the id of the unit ``FlagEvaluation/unit``, unless the context has a member with that name
    /// that can be an id. All members are attributes, and may be units as well.
    let context: FeatureContext

    /// Whether the read records an exposure, according to `exposure` in the body or in the query; false by default.
    let recordsExposure: Bool

    /// Reads a request.
    /// - Throws: The error in the body.
    init(_ request: ConsoleRequest) throws(FlagFault) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(request.body).value
        } catch {
            throw FlagFault(.parseError, "the body cannot be read as JSON: \(error)")
        }
        guard let body = json.object else {
            throw FlagFault(.parseError, "expected an object, found \(json.kind)")
        }
        let exposure = body["exposure"] ?? false
        guard let recordsExposure = exposure.bool else {
            throw FlagFault(.parseError, "exposure: expected a boolean, found \(exposure.kind)")
        }
        self.recordsExposure = recordsExposure || request.isSet("exposure")
        context = try FeatureContext(openFeature: body["context"] ?? [:])
    }
}

extension FeatureContext {
    fileprivate init(openFeature context: JSONValue) throws(FlagFault) {
        guard let attributes = context.object else {
            throw FlagFault(.invalidContext, "context: expected an object, found \(context.kind)")
        }
        self.init(
            country: attributes["country"]?.string, language: attributes["language"]?.string, attributes: attributes)
        guard let key = attributes["targetingKey"], key != .null else { return }
        guard let id = key.string else {
            throw FlagFault(.invalidContext, "context.targetingKey: expected a string, found \(key.kind)")
        }
        if self.id(of: FlagEvaluation.unit)?.isEmpty ?? true { units[FlagEvaluation.unit] = id }
    }
}
