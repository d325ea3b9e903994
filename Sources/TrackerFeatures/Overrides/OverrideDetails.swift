public import FoundationEssentials

/// The author, the reason and the expiry of an override; kept with the override and written to the log.
///
/// ```swift
/// let details = OverrideDetails(by: "dana", note: "INC-412", expiry: Date(timeIntervalSinceNow: 3600))
/// try setup.features.overrides.set(12, for: "checkout", variable: "retryLimit", details: details)
/// ```
public struct OverrideDetails: Sendable, Hashable {
    /// The most Unicode scalars of ``by`` that are kept: 100.
    public static let maxAuthorLength = 100

    /// The most Unicode scalars of ``note`` that are kept: 500.
    public static let maxNoteLength = 500

    /// The author of the override; nil, the default, if it is unknown. The SDK does not verify it.
    public var by: String?

    /// The reason for the override, such as the number of an incident; nil by default.
    public var note: String?

    /// The time when the override expires, by the setup's clock, in the future. nil, the default, keeps it until it is
    /// removed.
    public var expiry: Date?

    /// Creates details.
    /// - Parameters:
    ///   - by: The author of the override; nil by default.
    ///   - note: The reason for the override; nil by default.
    ///   - expiry: The time when the override expires; nil by default.
    public init(by: String? = nil, note: String? = nil, expiry: Date? = nil) {
        (self.by, self.note, self.expiry) = (by, note, expiry)
    }

    /// The details as they are kept: texts within their bounds, and none that is empty.
    var bounded: OverrideDetails {
        OverrideDetails(
            by: by?.bounded(Self.maxAuthorLength), note: note?.bounded(Self.maxNoteLength), expiry: expiry)
    }
}

extension String {
    /// The first Unicode scalars; nil if there are none.
    fileprivate func bounded(_ most: Int) -> String? {
        isEmpty ? nil : String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
    }
}
