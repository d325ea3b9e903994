import FoundationEssentials
import TrackerPlatform

/// The file of overrides, which outlives the process; several processes may share it.
///
/// People may edit it too. It is a list:
/// `{"overrides": [{"feature": "checkout", "variable": "retryLimit", "value": 12, "by": "dana"}]}`.
struct OverridesFile: Sendable {
    private static let maxWait = Duration.seconds(2)
    private static let largestFile = 16 << 20

    /// The path of the file, or of a symbolic link to it, which is not replaced.
    let path: String

    /// The file at the end of symbolic links.
    var resolved: OverridesFile { OverridesFile(path: AtomicFile.resolved(path)) }

    /// Waits until no other process changes the file. If the file system has no locks, it returns nil, and the rename
    /// alone protects readers.
    func lock() throws(FileError) -> FileLock? {
        try FileLock.waiting(path: "\(path).lock", atMost: Self.maxWait)
    }

    /// Reads the file.
    /// - Parameter warnings: Receives warnings, for example about an unknown key.
    /// - Returns: The overrides; nil if there is no file.
    /// - Throws: A ``FileError``, or a ``ConfigurationError`` with the place that cannot be parsed.
    func read(_ warnings: inout [ConfigurationError]) throws -> Overrides? {
        guard let text = try [UInt8](contentsOfFile: path, atMost: Self.largestFile) else { return nil }
        // A value or a note that was set over the console may have any text.
        var decoder = try DocumentDecoder(text, allowsAllTexts: true)
        let overrides = try decoder.overrides()
        warnings += decoder.warnings
        return overrides
    }

    /// Reads the file to change it. A file that cannot be parsed is set aside, with a warning.
    func readToChange(_ warnings: inout [ConfigurationError]) throws(FileError) -> Overrides? {
        do {
            return try read(&warnings)
        } catch let error as FileError {
            throw error
        } catch {
            let unusable = "\(path).unusable"
            guard rename(path, unusable) == 0 else { throw FileError(.rename, path: unusable) }
            let reason = "the file cannot be understood and was set aside as \(unusable): \(error)"
            warnings.append(ConfigurationError(.warning, place: "", reason: reason))
            return nil
        }
    }

    /// Replaces the file.
    /// - Throws: If it cannot be written, or would be too large to be read again; then it is unchanged.
    func write(_ overrides: Overrides, under lock: FileLock?) throws(FileError) {
        let elements = overrides.inOrder.map { override -> JSONValue in
            var object = override.json
            if override.isSecret { object["secret"] = true }
            return .object(object)
        }
        var writer = ByteWriter(capacity: 1024)
        writer.append(pretty: ["overrides": .array(elements)])
        writer.append("\n")
        let bytes = Array(writer.text.utf8)
        guard bytes.count <= Self.largestFile else { throw FileError(tooLarge: path, limit: Self.largestFile) }
        try AtomicFile.replace(path, with: bytes, under: lock)
    }
}

extension DocumentDecoder {
    fileprivate mutating func overrides() throws(ConfigurationError) -> Overrides {
        var overrides = Overrides()
        for node in try list(try required("overrides", try object(root), root)) {
            let override = try override(node)
            guard overrides[override.target] == nil else {
                throw fault(.duplicateName, "\(override.name.excerpt) is overridden twice", node)
            }
            overrides.put(override)
        }
        return overrides
    }

    private mutating func override(_ node: JSONNode) throws(ConfigurationError) -> FeatureOverride {
        var override = FeatureOverride()
        for member in try object(node) where !member.isNull {
            let value = member.value
            switch member.name {
            case "feature": override.feature = try text(value)
            case "variable": override.variable = try text(value)
            case "experiment": override.experiment = try text(value)
            case "value": override.value = value.value
            case "time": override.time = try date(value)
            case "by": override.by = try text(value)
            case "note": override.note = try text(value)
            case "expiry": override.expiry = try date(value)
            case "secret": override.isSecret = try boolean(value)
            default: warn(Self.unknownKey, member.nameOffset)
            }
        }
        guard override.value != nil, let value = node.members?["value"] else { throw missing("value", node) }
        switch (override.feature, override.variable, override.experiment) {
        case (_?, nil, nil): _ = try boolean(value)
        case (_?, _?, nil): break
        case (nil, nil, _?): _ = try text(value)
        default:
            throw fault(.missingValue, "expected a feature, a feature and its variable, or an experiment", node)
        }
        override.cutTexts()
        return override
    }

    private func date(_ node: JSONNode) throws(ConfigurationError) -> Date {
        let text = try text(node)
        if let instant = Instant(text) { return Date(milliseconds: instant.milliseconds) }
        throw fault(.wrongType, "expected a date as 2026-01-31T12:00:00Z, found \(text.excerpt)", node)
    }
}
