import TrackerFeatures

/// The keys of a payload that this version does not know. They are ignored, as by GrowthBook's own SDKs: a server leaves out
/// what changes the meaning of a rule for a connection whose SDK cannot use it.
struct GrowthBookUnknownKeys {
    // Enough to find them in the payload.
    private static let maxPlaces = 3

    private var places: [String] = []
    private var offset = 0
    private var count = 0

    /// Notes a key.
    mutating func add(_ member: JSONNode.Member, _ place: String) {
        if count == 0 { offset = member.nameOffset }
        if count < Self.maxPlaces { places.append(place) }
        count += 1
    }

    /// Adds one warning for all of them, if there are any.
    func warn(_ decoder: inout DocumentDecoder) {
        guard let first = places.first else { return }
        var reason = "this version does not know the key, and ignores it"
        if count > 1 {
            let rest = count > places.count ? ", …" : ""
            reason += "; \(count) keys in all: \(places.map { $0.oneLine(most: 100) }.joined(separator: ", "))\(rest)"
        }
        decoder.warn(first, reason, offset)
    }
}
