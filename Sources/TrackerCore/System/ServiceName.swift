/// The name of the service that a process belongs to.
package enum ServiceName {
    /// The name of the executable.
    package static var executable: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "unknown"
    }

    /// A name as one component of a path: letters, digits, `.`, `-` and `_` stay, all other bytes and a leading dot are
    /// percent-encoded. A long name ends in its hash.
    package static func component(_ name: String) -> String {
        var component = ""
        for byte in name.utf8 {
            let isFirstDot = byte == UInt8(ascii: ".") && component.isEmpty
            let isKept = byte.isUnreserved && byte != UInt8(ascii: "~") && !isFirstDot
            component += isKept ? String(Unicode.Scalar(byte)) : byte.percentEncoded
        }
        guard component.utf8.count > mostBytes else { return component }
        var hash = StableHash()
        hash.combine(name.utf8)
        return component.prefix(mostBytes - 17) + "-" + hash.hex
    }

    // A file name may have 255 bytes.
    private static let mostBytes = 200
}
