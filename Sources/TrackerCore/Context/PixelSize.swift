/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int

    /// The height in pixels.
    public var height: Int

    /// Creates a size.
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads a size as trackers send it, `1920x1080`; nil if the text is none.
    package init?(_ text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(width: width, height: height)
    }

    /// The size in the form that trackers send, `1920x1080`.
    public var description: String { "\(width)x\(height)" }
}
