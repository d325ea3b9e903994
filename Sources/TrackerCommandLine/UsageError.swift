/// A wrong word on the command line.
package struct UsageError: Error {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
