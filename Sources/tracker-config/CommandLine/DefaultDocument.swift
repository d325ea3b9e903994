import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// The default that `--default` and `--default-version` give.
struct DefaultDocument {
    let configuration: DefaultConfiguration
    let version: Int?
    let warnings: [ConfigurationWarning]

    /// Reads the default; where it cannot be used, says why and answers nil.
    init?(_ arguments: Arguments, _ report: Report) throws(UsageError) {
        version = try arguments.integer("--default-version", in: 0...2_147_483_647)
        guard let path = arguments.text("--default") else {
            configuration = DefaultConfiguration(bundles: [])
            warnings = []
            return
        }
        guard let document = try report.document(path, purpose: .default) else { return nil }
        configuration = DefaultConfiguration(document)
        warnings = document.warnings
    }
}
