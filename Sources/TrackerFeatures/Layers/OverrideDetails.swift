public import FoundationEssentials

/// Who sets an override, why, and until when; kept with the override and written to the log.
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

    /// Who sets the override; nil, the default, if it is unknown. It is not verified.
    public var by: String?

    /// Why the override is set, as the number of an incident; nil by default.
    public var note: String?

    /// When the override is removed, by the setup's clock; later than now. nil, the default, keeps it until it is removed.
    public var expiry: Date?

    /// Creates details.
    /// - Parameters:
    ///   - by: Who sets the override; nil by default.
    ///   - note: Why the override is set; nil by default.
    ///   - expiry: When the override is removed; nil by default.
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
