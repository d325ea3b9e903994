extension DocumentDecoder {
    /// Reads a bound of a schedule.
    /// - Returns: Whether the key belongs to a schedule.
    package mutating func schedule(
        _ member: JSONNode.Member, _ place: @autoclosure Place, _ schedule: inout Schedule?
    ) throws(ConfigurationError) -> Bool {
        switch member.name {
        case "start": schedule = Schedule(start: try instant(member.value, place()), end: schedule?.end)
        case "end": schedule = Schedule(start: schedule?.start, end: try instant(member.value, place()))
        default: return false
        }
        if let start = schedule?.start, let end = schedule?.end, end <= start {
            throw fault(.outOfRange, place(), "the end is not after the start, so nothing lies between", member.value)
        }
        return true
    }

    private func instant(_ node: JSONNode, _ place: @autoclosure Place) throws(ConfigurationError) -> Instant {
        let text = try text(node, place())
        guard let instant = Instant(text) else { throw fault(.outOfRange, place(), Instant.fault(of: text), node) }
        return instant
    }
}
