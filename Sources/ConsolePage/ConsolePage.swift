/// The console's page, in a target of its own: its bytes take the compiler ten seconds, once and not with each change of the
/// SDK.
package enum ConsolePage {
    /// The whole page, in UTF-8.
    package static var html: [UInt8] { PackageResources.console_html }
}
