public import TrackerFeatures

/// A configuration document, read and checked.
///
/// ```swift
/// let document = try Document(Array(Data(contentsOf: url)))
/// print(document.version, document.bundles.map(\.namespace), document.warnings)
/// ```
public struct Document: Sendable {
    /// The use of a document.
    package enum Purpose: Sendable {
        /// A fetched or cached document, whose network configurations need their endpoints.
        case remote
        /// A default that the service ships; the remote document may add the endpoints.
        case `default`
    }

    /// The document's version, 0 … 9,007,199,254,740,991; it grows with every change.
    public internal(set) var version = 0

    /// One bundle per tracker.
    public internal(set) var bundles: [ConfigurationBundle] = []

    /// The object `meta`, for the service itself.
    public internal(set) var meta = JSONObject()

    /// The feature flags, each name once; none by default.
    public internal(set) var features: [FeatureDefinition] = []

    /// The segments as written, for tools; conditions contain the members that they need.
    package internal(set) var segments = JSONObject()

    /// The experiments, each id once; none by default. If two override the same variable, the earlier one has
    /// precedence.
    package internal(set) var experiments: [Experiment] = []

    /// The share of the fleet that applies the document; nil by default, and for a default document.
    package internal(set) var rollout: Rollout?

    /// The parts of the document that were ignored or clamped.
    public internal(set) var warnings: [ConfigurationError] = []

    /// A hash of the bytes, which distinguishes documents with the same version within a process.
    package internal(set) var digest: UInt64 = 0
}

extension Document {
    /// Reads a document strictly; its network configurations need their endpoints.
    /// - Parameter text: UTF-8 JSON, with the keys that the article "The document" lists.
    /// - Throws: The first error with its place. No part of a document with an error is used.
    public init(_ text: [UInt8]) throws(ConfigurationError) {
        try self.init(text, purpose: .remote)
    }

    /// Reads a service's default document strictly; the remote document may add the endpoints.
    /// - Parameter text: UTF-8 JSON, with the keys that the article "The document" lists.
    /// - Throws: The first error with its place. No part of a document with an error is used.
    public init(default text: [UInt8]) throws(ConfigurationError) {
        try self.init(text, purpose: .default)
    }

    package init(_ text: [UInt8], purpose: Purpose) throws(ConfigurationError) {
        var reader = try DocumentReader(text, purpose: purpose)
        do throws(ConfigurationError) {
            self = try reader.read()
        } catch {
            var error = error
            (error.version, error.author) = (reader.version, reader.decoder.root.value.object?["meta"]?.object?.author)
            throw error
        }
    }

    /// All errors and warnings of a text, which is read to its end. A service stops at the first error.
    package struct Findings: Sendable {
        /// The document; nil if there is an error.
        package let document: Document?
        /// The version; nil if it cannot be read.
        package let version: Int?
        /// The errors, at most 100.
        package let errors: [ConfigurationError]
        /// The warnings, as in ``Document/warnings``.
        package let warnings: [ConfigurationError]

        /// Reads a text.
        /// - Parameters:
        ///   - text: UTF-8 JSON.
        ///   - purpose: The use of the document.
        package init(_ text: [UInt8], purpose: Purpose = .remote) {
            var reader: DocumentReader?
            var document: Document?
            var last: ConfigurationError?
            do throws(ConfigurationError) {
                reader = try DocumentReader(text, purpose: purpose)
                reader?.decoder.errors = []
                document = try reader?.read()
            } catch {
                last = error
            }
            errors = (reader?.decoder.errors ?? []) + (last.map { [$0] } ?? [])
            (version, warnings) = (reader?.version, reader?.decoder.warnings ?? [])
            self.document = errors.isEmpty ? document : nil
        }
    }
}

extension JSONObject {
    /// The author and the ticket in a document's `meta`, such as `dana, INC-412`; nil if it names no author.
    package var author: String? {
        guard let author = self["author"]?.string else { return nil }
        return [author, self["ticket"]?.string].compactMap(\.self).joined(separator: ", ").oneLine(most: 100)
    }
}

extension FeatureStore.Remote {
    /// The features and experiments of a document.
    package init(_ document: Document) {
        self.init(version: document.version, features: document.features, experiments: document.experiments)
    }
}
