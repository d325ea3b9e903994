extension UInt8 {
    /// Whether the byte is one of 0-9.
    var isDigit: Bool {
        (0x30...0x39).contains(self)
    }

    /// Whether the byte is allowed in a method or in a field's name (RFC 9110, 5.6.2).
    var isTokenByte: Bool {
        isDigit || (0x61...0x7a).contains(self | 0x20) || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    /// Whether the byte is allowed in a field's value: anything but control characters except the tab.
    var isFieldByte: Bool {
        self == 0x09 || (self >= 0x20 && self != 0x7f)
    }

    /// Whether the byte is a space or a tab.
    var isBlank: Bool {
        self == 0x20 || self == 0x09
    }
}
