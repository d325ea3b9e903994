import TrackerConfig
import TrackerCore

extension Command {
    /// For whom a variable is read or an experiment evaluated, with overrides for the given features; nil if no unit is named.
    func context(_ features: Features) throws(CommandError) -> FeatureContext? {
        guard let members = try object("context") else { return nil }
        var context = FeatureContext()
        for (name, value) in members.members where value != .null {
            switch (name, value) {
            case ("units", .object(let units)):
                for unit in units.members where unit.value != .null {
                    guard let id = unit.value.string else {
                        throw fault("'context.units.\(unit.name)' is not a string")
                    }
                    context.units[unit.name] = id
                }
            case ("country", .string(let country)): context.country = country
            case ("language", .string(let language)): context.language = language
            case ("attributes", .object(let attributes)): context.attributes = attributes
            case ("overrides", .object(let overrides)):
                do throws(FeatureError) {
                    context.overrides = try features.overrides.forRequest(overrides)
                } catch {
                    throw fault("'context.overrides': \(error)")
                }
            case ("units", _), ("attributes", _), ("overrides", _): throw fault("'context.\(name)' is not an object")
            case ("country", _), ("language", _): throw fault("'context.\(name)' is not a string")
            default: throw fault("there is no 'context.\(name)'")
            }
        }
        return context
    }
}
