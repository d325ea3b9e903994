/// The context in which a feature is read or an experiment is evaluated, for a request (``TrackingContext/evaluation``)
/// or for one call.
///
/// ```swift
/// let context = FeatureContext(units: ["userId": "u-1"], country: "US", language: "en-GB")
/// ```
public struct FeatureContext: Sendable, Hashable {
    /// The ids of the units, by the names in experiments: `userId`, `deviceId` …
    public var units: [String: String] {
        get { storage.values.units }
        set { values.units = newValue }
    }

    /// The country, such as `US`.
    public var country: String? {
        get { storage.values.country }
        set { values.country = newValue }
    }

    /// The language, such as `en` or `en-GB`.
    public var language: String? {
        get { storage.values.language }
        set { values.language = newValue }
    }

    /// Other attributes, for conditions in the document and in code.
    public var attributes: JSONObject {
        get { storage.values.attributes }
        set { values.attributes = newValue }
    }

    /// The overrides of a tester, which have precedence over all other sources for this context; nil by default.
    ///
    /// A context with overrides does not contribute to statistics: its variants are not exposures, are not stored, and
    /// are not named by the entities of its events.
    public var overrides: RequestOverrides? {
        get { storage.values.overrides }
        set { values.overrides = newValue }
    }

    private struct Values: Hashable {
        var units: [String: String]
        var country: String?
        var language: String?
        var attributes: JSONObject
        var overrides: RequestOverrides?
    }

    /// The storage that copies share, so that a read costs one reference; it is replaced and never changed.
    private final class Storage: Sendable {
        let values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    private var storage: Storage

    private var values: Values {
        get { storage.values }
        set { storage = Storage(newValue) }
    }

    /// Whether there are ``overrides``.
    package var hasOverrides: Bool { storage.values.overrides != nil }

    /// The number of ``attributes``.
    package var attributeCount: Int { storage.values.attributes.members.count }

    /// The value of an attribute. Searches in place, because the getter would count a reference.
    private func ownAttribute(_ name: String) -> JSONValue? {
        for index in storage.values.attributes.members.indices
        where storage.values.attributes.members[index].name.isExactly(name) {
            return storage.values.attributes.members[index].value
        }
        return nil
    }

    /// The id of a unit, without the attributes.
    private func unitID(_ name: String) -> String? {
        // Comparing the names of a few units is faster than hashing one.
        if storage.values.units.count > 4 { return storage.values.units[name] }
        for (unit, id) in storage.values.units where unit == name { return id }
        return nil
    }

    /// The value of a name in conditions: an attribute, otherwise a unit's id, otherwise `country` or `language`.
    package func attribute(_ name: String) -> JSONValue? {
        if let value = ownAttribute(name) { return value }
        if let id = unitID(name) { return .string(id) }
        if name.isExactly("country") { return storage.values.country.map(JSONValue.string) }
        if name.isExactly("language") { return storage.values.language.map(JSONValue.string) }
        return nil
    }

    /// The id of a unit: from ``units``, otherwise an attribute of that name, a text or a number; nil if there is none.
    package func id(of unit: String) -> String? {
        if let id = unitID(unit), !id.isEmpty { return id }
        return switch ownAttribute(unit) {
        case .string(let text)?: text
        case .int(let number)?: "\(number)"
        case .double(let number)? where number.isFinite: Int(exactly: number).map { "\($0)" } ?? "\(number)"
        default: nil
        }
    }

    /// The context of reads that name none: that of the ``TrackingContext`` bound to the task; nil if there is none.
    package static var current: FeatureContext? { TrackingContext.bound?.context.evaluation }

    /// The empty context.
    package static let empty = FeatureContext()

    /// Creates a context.
    public init(
        units: [String: String] = [:], country: String? = nil, language: String? = nil,
        attributes: JSONObject = JSONObject()
    ) {
        storage = Storage(Values(units: units, country: country, language: language, attributes: attributes))
    }

    /// Creates a context with attributes from Swift values; see ``JSONConvertible``.
    /// - Parameters:
    ///   - units: The ids of the units; none by default.
    ///   - country: The country; nil by default.
    ///   - language: The language; nil by default.
    ///   - attributes: Other attributes; an attribute that is nil is left out.
    @_disfavoredOverload
    public init(
        units: [String: String] = [:], country: String? = nil, language: String? = nil,
        attributes: KeyValuePairs<String, any JSONConvertible>
    ) {
        self.init(units: units, country: country, language: language, attributes: JSONObject(attributes))
    }

    /// Creates a context with only a user.
    /// - Parameter userID: The id of the unit `userId`.
    public init(userID: String) {
        self.init(units: ["userId": userID])
    }

    /// Whether both have the same values.
    public static func == (left: FeatureContext, right: FeatureContext) -> Bool {
        left.storage === right.storage || left.storage.values == right.storage.values
    }

    /// Hashes the context's values.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.values) }
}
