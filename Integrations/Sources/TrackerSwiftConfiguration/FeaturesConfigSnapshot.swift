import Configuration
import TrackerConfig

/// The features at one moment as a snapshot of swift-configuration.
struct FeaturesConfigSnapshot: ConfigSnapshot {
    /// The interpretation of keys and values.
    struct Reading: Sendable {
        /// The feature of all keys; nil if the first part of a key is the feature.
        let feature: String?
        let bytesDecoder: any ConfigBytesFromStringDecoder
    }

    static let providerName = "FeaturesConfigProvider"

    var providerName: String { Self.providerName }

    private let features: FeatureSnapshot
    private let reading: Reading

    init(_ features: FeatureSnapshot, _ reading: Reading) {
        (self.features, self.reading) = (features, reading)
    }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let parts = (reading.feature.map { [$0] } ?? []) + key.components
        let name = parts.joined(separator: ".")
        guard let feature = parts.first else { return LookupResult(encodedKey: name, value: nil) }
        let context = key.context.isEmpty ? nil : FeatureContext(key.context)
        guard parts.count > 1 else {
            return LookupResult(encodedKey: name, value: type == .bool ? isEnabled(feature, context) : nil)
        }
        let variable = parts.dropFirst().joined(separator: ".")
        do throws(FeatureError) {
            let content = try content(feature, variable, type, context)
            return LookupResult(
                encodedKey: name, value: ConfigValue(content, isSecret: isSecret(feature, variable, context)))
        } catch {
            guard error.code == .notFound else { throw error }
            return LookupResult(encodedKey: name, value: nil)
        }
    }

    private func isEnabled(_ feature: String, _ context: FeatureContext?) -> ConfigValue? {
        let detail = features.detail(feature, for: context)
        return detail.source == .fallback ? nil : ConfigValue(.bool(detail.value), isSecret: false)
    }

    private func isSecret(_ feature: String, _ variable: String, _ context: FeatureContext?) -> Bool {
        features.explain(feature, variable: variable, for: context).isSecret
    }

    private func content(
        _ feature: String, _ variable: String, _ type: ConfigType, _ context: FeatureContext?
    ) throws(FeatureError) -> ConfigContent {
        func read<Value: Decodable>(as type: Value.Type = Value.self) throws(FeatureError) -> Value {
            try features.require(feature, variable: variable, for: context)
        }
        func bytes(_ text: String) throws(FeatureError) -> [UInt8] {
            if let bytes = reading.bytesDecoder.decode(text) { return bytes }
            throw FeatureError(
                .notDecodable, place: "\(feature).\(variable)", reason: "the text cannot be decoded to bytes")
        }
        switch type {
        case .string: return .string(try read())
        case .int: return .int(try read())
        case .double: return .double(try read())
        case .bool: return .bool(try read())
        case .bytes: return .bytes(try bytes(try read()))
        case .stringArray: return .stringArray(try read())
        case .intArray: return .intArray(try read())
        case .doubleArray: return .doubleArray(try read())
        case .boolArray: return .boolArray(try read())
        case .byteChunkArray:
            let texts: [String] = try read()
            return .byteChunkArray(try texts.map { text throws(FeatureError) in try bytes(text) })
        }
    }
}

extension FeatureContext {
    fileprivate init(_ context: [String: ConfigContextValue]) {
        var units: [String: String] = [:]
        var attributes = JSONObject()
        for (name, value) in context {
            switch value {
            case .string(let text):
                units[name] = text
                attributes[name] = .string(text)
            case .int(let number): attributes[name] = .int(number)
            case .double(let number): attributes[name] = .double(number)
            case .bool(let flag): attributes[name] = .bool(flag)
            }
        }
        self.init(
            units: units, country: attributes["country"]?.string, language: attributes["language"]?.string,
            attributes: attributes)
    }
}
