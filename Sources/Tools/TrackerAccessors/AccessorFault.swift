package import TrackerJSON

/// The reason why a property cannot be generated.
package struct AccessorFault: Error, Equatable {
    /// The keys of the cause, from the outermost.
    package let path: [String]

    /// The reason, without the place.
    package let reason: String

    /// The position of the cause in the file's text; nil if the text is unknown.
    package internal(set) var position: TextPosition?
}
