import Foundation

/// Colours and weights for terminals.
package struct TextStyle: Sendable {
    /// A graphic rendition of ECMA-48.
    package enum Rendition: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
        case magenta = 35
    }

    private let isColoured: Bool

    /// Creates a style.
    /// - Parameter isColoured: Whether the output has colours.
    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// Creates the style of standard output.
    ///
    /// `--color` has precedence. By default, output to a terminal has colours unless `NO_COLOR` (no-color.org) is set
    /// or `TERM` is `dumb`.
    /// - Parameters:
    ///   - arguments: The arguments of a command with ``CommandOption/color``.
    ///   - environment: The environment; that of the process by default.
    ///   - isTerminal: Whether standard output is a terminal.
    package init(
        _ arguments: Arguments, environment: [String: String] = ProcessInfo.processInfo.environment,
        isTerminal: Bool = isatty(STDOUT_FILENO) == 1
    ) {
        switch arguments.text(.color) {
        case "always": isColoured = true
        case "never": isColoured = false
        default:
            isColoured = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        }
    }

    package func paint(_ text: String, _ rendition: Rendition) -> String {
        isColoured ? "\u{1B}[\(rendition.rawValue)m\(text)\u{1B}[0m" : text
    }
}
