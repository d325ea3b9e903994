/// The name of the service that a process belongs to.
package enum ServiceName {
    /// The name of the executable.
    package static var executable: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "unknown"
    }

    /// A name as one component of a path: letters, digits, `.`, `-` and `_` as they are, all else percent-encoded, and a
    /// dot at the beginning too. A long name ends in its hash.
    package static func component(_ name: String) -> String {
        var component = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                component.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where !component.isEmpty: component += "."
            default: component += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        guard component.utf8.count > mostBytes else { return component }
        var hash = StableHash()
        hash.combine(name.utf8)
        return component.prefix(mostBytes - 17) + "-" + hash.hex
    }

    // A file's name may have 255 bytes.
    private static let mostBytes = 200
}
