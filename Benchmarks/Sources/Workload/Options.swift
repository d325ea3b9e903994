/// The words and `--name value` pairs of a command line.
package struct Options: Sendable {
    package private(set) var words: [String] = []
    private var values: [String: String] = [:]

    package init(_ arguments: some Sequence<String>) throws {
        var name: String?
        for argument in arguments {
            if let known = name {
                values[known] = argument
                name = nil
            } else if argument.hasPrefix("--") {
                name = String(argument.dropFirst(2))
            } else {
                words.append(argument)
            }
        }
        if let name { throw BenchmarkError("--\(name) has no value") }
    }

    package func text(_ name: String) -> String? { values[name] }

    package func number(_ name: String) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), number > 0 else { throw BenchmarkError("--\(name) is no positive number") }
        return number
    }
}
