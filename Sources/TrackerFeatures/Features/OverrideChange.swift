import FoundationEssentials

/// A change of an override as a line of the log, without secrets.
struct OverrideChange: CustomStringConvertible {
    /// What changed the override.
    enum Cause {
        case setting(OverrideDetails)
        case removal(by: String?)
        case expiry
        /// The file was read again.
        case file
        /// The file was read at the start.
        case start
    }

    let target: OverrideTarget
    let cause: Cause
    /// What was in effect before.
    let old: FeatureLayers
    /// What is in effect now.
    let new: FeatureLayers

    /// `overrides: checkout.retryLimit 3 -> 12 by dana ("INC-412"), until 2026-11-23T18:00:00Z`
    var description: String {
        let isHidden = old.hidesValues(of: target) || new.hidesValues(of: target)
        let (before, after) = (
            old.loggedValue(of: target, isHidden: isHidden), new.loggedValue(of: target, isHidden: isHidden)
        )
        return "overrides: \(Self.name(of: target)) \(before) -> \(after)\(cause)"
    }

    /// The name of the overridden feature, variable or experiment, on one line and cut if it is long.
    static func name(of target: OverrideTarget) -> String { target.description.oneLine(most: 200) }
}

extension OverrideChange.Cause: CustomStringConvertible {
    /// What follows the values.
    var description: String {
        switch self {
        case .setting(let given):
            let details = given.bounded
            return (details.by.map { " by \($0.author)" } ?? "") + (details.note.map { " (\($0.quoted))" } ?? "")
                + (details.expiry?.iso8601.map { ", until \($0)" } ?? "")
        case .removal(let author): return ", removed" + (author.map { " by \($0.author)" } ?? "")
        case .expiry: return ", expired"
        case .file, .start: return ", by the file"
        }
    }
}

extension String {
    /// The name of a person or a program; in quotation marks unless it is one word, so that it cannot pass for more of the
    /// line.
    fileprivate var author: String {
        let text = oneLine(most: FeatureOverride.maxAuthorLength)
        let isWord = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0"..."9" ~= $0 || "._-@:+".unicodeScalars.contains($0)
        }
        return isWord ? text : quoted
    }

    /// The text as a JSON string on one line.
    fileprivate var quoted: String { JSONValue.string(self).description.oneLine(most: .max) }
}
