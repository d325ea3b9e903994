import FoundationEssentials

/// Names as words: `shop, pay and mail`, at most five, and how many more there are.
/// - Parameters:
///   - names: The names.
///   - length: The most characters of a name; a namespace has up to 128.
/// - Returns: The words; empty without names.
func listed(_ names: [String], most length: Int = 60) -> String {
    let limit = 5
    // The name of one more is no longer than its count.
    let isCut = names.count > limit + 1
    var words = names.prefix(isCut ? limit : names.count).map { $0.oneLine(most: length) }
    if isCut { words.append("\(names.count - limit) more") }
    guard let last = words.popLast() else { return "" }
    return words.isEmpty ? last : "\(words.joined(separator: ", ")) and \(last)"
}

extension TimeInterval {
    /// The span in one unit: `40 s`, `6 min`, `3 h`, `2 days`; at least 0 s.
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
