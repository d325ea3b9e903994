/// An error of the service's own Swift code, `iglu:com.snowplowanalytics.snowplow/application_error/jsonschema/1-0-2`.
///
/// ```swift
/// do {
///     try charge(order)
/// } catch {
///     tracker.track(ApplicationError(error, isFatal: false))
/// }
/// ```
///
/// Parameters that are nil, the default, are left out. Snowplow rejects an event with a value outside its bounds.
public struct ApplicationError: Event {
    /// The error as self-describing data.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - message: The message, at most 2,048 characters.
    ///   - exceptionName: The name of the error, such as that of its type, at most 1,024 characters.
    ///   - className: The name of the type to which it belongs, at most 1,024 characters.
    ///   - isFatal: Whether the error ended the application.
    ///   - stackTrace: The stack trace of the place where it was raised, at most 8,192 characters.
    ///   - causeStackTrace: The stack trace of its cause, at most 8,192 characters.
    ///   - fileName: The file in which it was raised, at most 1,024 characters.
    ///   - lineNumber: The line in the file, 0 to 2,147,483,647.
    ///   - lineColumn: The column in the line, 0 to 2,147,483,647.
    ///   - threadName: The name of the thread, at most 1,024 characters.
    ///   - threadID: The number of the thread, 0 to 2,147,483,647.
    public init(
        message: String, exceptionName: String? = nil, className: String? = nil, isFatal: Bool? = nil,
        stackTrace: String? = nil, causeStackTrace: String? = nil, fileName: String? = nil, lineNumber: Int? = nil,
        lineColumn: Int? = nil, threadName: String? = nil, threadID: Int? = nil
    ) {
        let data = JSONObject(data: [
            "message": message, "programmingLanguage": "SWIFT", "exceptionName": exceptionName, "className": className,
            "isFatal": isFatal, "stackTrace": stackTrace, "causeStackTrace": causeStackTrace, "fileName": fileName,
            "lineNumber": lineNumber, "lineColumn": lineColumn, "threadName": threadName, "threadId": threadID,
        ])
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/application_error/jsonschema/1-0-2", data: data)
    }

    /// Creates an event of a Swift error, named by its type and described by its `description`.
    ///
    /// Text that is longer than the schema allows is truncated.
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - stack: The stack trace of the place where it was thrown; the first 8,192 characters are kept.
    ///   - isFatal: Whether the error ended the application.
    public init(_ error: any Error, stack: String? = nil, isFatal: Bool? = nil) {
        let type = type(of: error)
        self.init(
            message: String(describing: error).prefix(codePoints: 2048),
            exceptionName: String(describing: type).prefix(codePoints: 1024),
            className: Self.stableName(of: type).prefix(codePoints: 1024), isFatal: isFatal,
            stackTrace: stack?.prefix(codePoints: 8192))
    }
}

extension ApplicationError {
    /// A type's name with its module, without the addresses of private and local scopes: they differ between runs, so
    /// that reports could not be grouped by them.
    private static func stableName(of type: Any.Type) -> String {
        var name = String(reflecting: type)
        while let start = name.firstRange(of: "(unknown context at "),
            let end = name[start.upperBound...].firstRange(of: ").")
        {
            name.removeSubrange(start.lowerBound..<end.upperBound)
        }
        return name
    }
}

extension String {
    /// The first code points, which is what JSON Schema counts.
    fileprivate func prefix(codePoints count: Int) -> String {
        // A text has at most as many code points as bytes, and the bytes need no counting.
        utf8.count <= count ? self : String(unicodeScalars.prefix(count))
    }
}
