package import FoundationEssentials

/// The author, the reason and the expiry of an override; kept with the override and written to the log.
package struct OverrideDetails: Sendable, Hashable {
    /// The author of the override; nil, the default, if it is unknown. The SDK does not verify it.
    package var by: String?

    /// The reason for the override, such as the number of an incident; nil by default.
    package var note: String?

    /// The time when the override expires, by the setup's clock, in the future. nil, the default, keeps it until it is
    /// removed.
    package var expiry: Date?

    package init(by: String? = nil, note: String? = nil, expiry: Date? = nil) {
        (self.by, self.note, self.expiry) = (by, note, expiry)
    }

    /// The details as they are kept: texts within their bounds, and none that is empty.
    var bounded: OverrideDetails {
        OverrideDetails(
            by: by?.bounded(FeatureOverride.maxAuthorLength), note: note?.bounded(FeatureOverride.maxNoteLength),
            expiry: expiry)
    }
}

extension String {
    /// The first Unicode scalars; nil if there are none.
    fileprivate func bounded(_ most: Int) -> String? {
        isEmpty ? nil : String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
    }
}
