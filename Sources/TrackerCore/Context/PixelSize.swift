/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// The bounds of a side; an event leaves out a size with a side outside them.
    static let sides = 0...Int(Int32.max)

    /// The width in pixels.
    public var width: Int

    /// The height in pixels.
    public var height: Int

    /// Creates a size.
    /// - Parameters:
    ///   - width: The width in pixels; 0 … 2,147,483,647. A size outside the bounds is not sent.
    ///   - height: The height in pixels, with the same bounds.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads a size in the form that trackers send, `1920x1080`; nil if the text is not a size.
    package init?(_ text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], Self.sides.contains(width),
            Self.sides.contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }

    /// The size in the form that trackers send, `1920x1080`.
    public var description: String { "\(width)x\(height)" }
}
