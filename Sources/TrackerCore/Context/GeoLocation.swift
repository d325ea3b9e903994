/// A location on the earth, for `iglu:com.snowplowanalytics.snowplow/geolocation_context/jsonschema/1-1-0`.
public struct GeoLocation: Sendable, Hashable {
    /// The latitude in degrees, -90 … 90.
    public let latitude: Double

    /// The longitude in degrees, -180 … 180.
    public let longitude: Double

    /// The accuracy of both in metres.
    public var accuracy: Double?

    /// The altitude in metres.
    public var altitude: Double?

    /// The accuracy of the altitude in metres.
    public var altitudeAccuracy: Double?

    /// The direction of travel in degrees.
    public var bearing: Double?

    /// The speed in metres per second.
    public var speed: Double?

    /// The time when the location was measured, in milliseconds since 1970.
    public var timestamp: Int?

    /// Creates a location; nil if the latitude or the longitude is outside its range.
    /// - Parameters:
    ///   - latitude: The latitude in degrees, -90 … 90.
    ///   - longitude: The longitude in degrees, -180 … 180.
    public init?(latitude: Double, longitude: Double) {
        guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension GeoLocation {
    /// The location as an entity in JSON, with a comma after it.
    var encodedEntity: [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.append(entities: [
            Entity(
                schema: "iglu:com.snowplowanalytics.snowplow/geolocation_context/jsonschema/1-1-0",
                data: JSONObject(unique: members))
        ])
        return writer.array
    }

    /// The location's values, as the entity and documents have them.
    var members: [JSONObject.Member] {
        var members: [JSONObject.Member] = [("latitude", .double(latitude)), ("longitude", .double(longitude))]
        let optional = [
            ("latitudeLongitudeAccuracy", accuracy), ("altitude", altitude), ("altitudeAccuracy", altitudeAccuracy),
            ("bearing", bearing), ("speed", speed),
        ]
        for case (let name, let value?) in optional where value.isFinite { members.append((name, .double(value))) }
        if let timestamp { members.append(("timestamp", .int(timestamp))) }
        return members
    }
}
