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
/// Properties that are nil, which is the default, are left out.
public struct ApplicationError: Event {
    /// The message, at most 2,048 characters.
    public let message: String

    /// The name of the error, such as that of its type, at most 1,024 characters.
    public let exceptionName: String?

    /// The name of the type to which it belongs, at most 1,024 characters.
    public let className: String?

    /// Whether the error ended the application.
    public let isFatal: Bool?

    /// The stack trace of the place where it was raised, at most 8,192 characters.
    public let stackTrace: String?

    /// The stack trace of its cause, at most 8,192 characters.
    public let causeStackTrace: String?

    /// The file in which it was raised, at most 1,024 characters.
    public let fileName: String?

    /// The line in the file, 0 to 2,147,483,647.
    public let lineNumber: Int?

    /// The column in the line, 0 to 2,147,483,647.
    public let lineColumn: Int?

    /// The name of the thread, at most 1,024 characters.
    public let threadName: String?

    /// The number of the thread, 0 to 2,147,483,647.
    public let threadID: Int?

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
    /// - Throws: ``EventError`` if a value is outside its bounds.
    public init(
        message: String, exceptionName: String? = nil, className: String? = nil, isFatal: Bool? = nil,
        stackTrace: String? = nil, causeStackTrace: String? = nil, fileName: String? = nil, lineNumber: Int? = nil,
        lineColumn: Int? = nil, threadName: String? = nil, threadID: Int? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.message = try check.text(message, "message", atMost: 2048)
        self.exceptionName = try check.text(exceptionName, "exceptionName", atMost: 1024)
        self.className = try check.text(className, "className", atMost: 1024)
        self.isFatal = isFatal
        self.stackTrace = try check.text(stackTrace, "stackTrace", atMost: 8192)
        self.causeStackTrace = try check.text(causeStackTrace, "causeStackTrace", atMost: 8192)
        self.fileName = try check.text(fileName, "fileName", atMost: 1024)
        self.lineNumber = try check.integer(lineNumber, "lineNumber", in: 0...2_147_483_647)
        self.lineColumn = try check.integer(lineColumn, "lineColumn", in: 0...2_147_483_647)
        self.threadName = try check.text(threadName, "threadName", atMost: 1024)
        self.threadID = try check.integer(threadID, "threadID", in: 0...2_147_483_647)
    }

    /// Creates an event of a Swift error, named by its type and described by its `description`.
    ///
    /// It never fails: text that is longer than the schema allows is truncated.
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - stack: The stack trace of the place where it was thrown; the first 8,192 characters are kept.
    ///   - isFatal: Whether the error ended the application.
    public init(_ error: any Error, stack: String? = nil, isFatal: Bool? = nil) {
        let type = type(of: error)
        message = String(describing: error).prefix(codePoints: 2048)
        exceptionName = String(describing: type).prefix(codePoints: 1024)
        className = Self.stableName(of: type).prefix(codePoints: 1024)
        self.isFatal = isFatal
        stackTrace = stack?.prefix(codePoints: 8192)
        causeStackTrace = nil
        fileName = nil
        lineNumber = nil
        lineColumn = nil
        threadName = nil
        threadID = nil
    }

    /// The error as self-describing data.
    public var content: EventContent {
        let data = JSONObject(present: [
            ("message", .string(message)),
            ("programmingLanguage", "SWIFT"),
            ("exceptionName", exceptionName.map(JSONValue.string)),
            ("className", className.map(JSONValue.string)),
            ("isFatal", isFatal.map(JSONValue.bool)),
            ("stackTrace", stackTrace.map(JSONValue.string)),
            ("causeStackTrace", causeStackTrace.map(JSONValue.string)),
            ("fileName", fileName.map(JSONValue.string)),
            ("lineNumber", lineNumber.map(JSONValue.int)),
            ("lineColumn", lineColumn.map(JSONValue.int)),
            ("threadName", threadName.map(JSONValue.string)),
            ("threadId", threadID.map(JSONValue.int)),
        ])
        return .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/application_error/jsonschema/1-0-2", data: data)
    }
}

extension ApplicationError {
    /// A type's name with its module, without the addresses that stand for private and local scopes: they differ from
    /// run to run, and reports could not be grouped by them.
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
        // No text has more code points than bytes, which need no counting.
        utf8.count <= count ? self : String(unicodeScalars.prefix(count))
    }
}
