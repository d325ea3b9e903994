import Foundation

/// Colours and weights, where a person reads them.
package struct TextStyle {
    /// What ECMA-48 calls a graphic rendition.
    package enum Rendition: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
        case magenta = 35
        case cyan = 36
    }

    private let isColoured: Bool

    /// A style of its own, as for a test.
    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// The style of standard output: coloured on a terminal where `NO_COLOR` (no-color.org) is not set.
    package static var standardOutput: TextStyle {
        let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return TextStyle(isColoured: isatty(1) == 1 && refusal.isEmpty)
    }

    package func paint(_ text: String, _ rendition: Rendition) -> String {
        isColoured ? "\u{1B}[\(rendition.rawValue)m\(text)\u{1B}[0m" : text
    }
}
