import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// The default document of `--default` and `--default-version`.
struct DefaultDocument {
    static let options = [ServiceArguments.defaultFile, ServiceArguments.defaultVersion]

    let configuration: DefaultConfiguration
    let version: Int?
    let warnings: [ConfigurationError]

    /// Reads the default document; if it cannot be used, prints why and returns nil.
    init?(_ arguments: Arguments, _ report: Report) throws(CommandFailure) {
        version = arguments.integer(ServiceArguments.defaultVersion)
        guard let path = arguments.text(ServiceArguments.defaultFile) else {
            configuration = DefaultConfiguration(bundles: [])
            warnings = []
            return
        }
        guard let document = try report.validated(path, purpose: .default).document else { return nil }
        configuration = DefaultConfiguration(document)
        warnings = document.warnings
    }
}
