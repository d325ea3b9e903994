import FoundationEssentials

/// Returns names as a phrase: `shop, pay and mail`; at most five names and the number of the others.
/// - Parameters:
///   - names: The names.
///   - length: The maximum number of characters of a name; a namespace has up to 128.
/// - Returns: The phrase; empty if there are no names.
func listed(_ names: [String], most length: Int = 60) -> String {
    let limit = 5
    // Show a sixth name rather than "1 more".
    let isCut = names.count > limit + 1
    var words = names.prefix(isCut ? limit : names.count).map { $0.oneLine(most: length) }
    if isCut { words.append("\(names.count - limit) more") }
    guard let last = words.popLast() else { return "" }
    return words.isEmpty ? last : "\(words.joined(separator: ", ")) and \(last)"
}

extension TimeInterval {
    /// The span in a single unit: `40 s`, `6 min`, `3 h`, `2 days`; at least 0 s.
    var inWords: String {
        let seconds = Int(min(max(self, 0), 1e12))
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension String {
    /// The text with an upper-case first letter.
    var sentence: String { prefix(1).uppercased() + dropFirst() }

    /// The text with a lower-case first letter, for the middle of a sentence.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
