import Foundation

/// Colours, where a person reads them.
struct TextStyle {
    enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    private let isColoured: Bool

    /// A style of its own, as for a test.
    init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// The style of standard output: coloured on a terminal where `NO_COLOR` (no-color.org) is not set.
    static var standardOutput: TextStyle {
        let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return TextStyle(isColoured: isatty(1) == 1 && refusal.isEmpty)
    }

    func paint(_ text: String, _ colour: Colour) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
