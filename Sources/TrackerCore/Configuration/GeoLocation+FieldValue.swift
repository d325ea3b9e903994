extension GeoLocation: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> GeoLocation? {
        guard let latitude = node.value["latitude"]?.double,
            let longitude = node.value["longitude"]?.double
        else {
            throw FieldMismatch(expected: "an object with latitude and longitude", found: node)
        }
        guard var location = GeoLocation(latitude: latitude, longitude: longitude) else {
            warn("there is no such place; the setting stays unset")
            return nil
        }
        guard case .object(let members) = node.content else { return location }
        for member in members {
            if case .null = member.value.content { continue }
            let number = member.value.value.double
            switch member.name {
            case "latitude", "longitude": continue
            case "latitudeLongitudeAccuracy": location.accuracy = number
            case "altitude": location.altitude = number
            case "altitudeAccuracy": location.altitudeAccuracy = number
            case "bearing": location.bearing = number
            case "speed": location.speed = number
            case "timestamp": location.timestamp = member.value.integer
            default:
                warn("\(member.name.excerpt) is no value of a location and is ignored")
                continue
            }
            let isRead = member.name == "timestamp" ? location.timestamp != nil : number != nil
            if !isRead { warn("\(member.name) is no number and is ignored") }
        }
        return location
    }

    package var json: JSONValue { .object(JSONObject(unique: members)) }
}
