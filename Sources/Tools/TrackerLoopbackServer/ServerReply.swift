/// What the server does with a request.
package enum ServerReply: Sendable {
    /// A whole answer.
    ///
    /// `Content-Length` is added, and one in `headers` left out. To HEAD the body is not sent, but its length is; with 204
    /// and 304 neither is. With `closes` the answer says `Connection: close`, and the connection ends after it.
    case response(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closes: Bool = false)

    /// Closes the connection without an answer.
    case drop

    /// Sends the bytes as they are, then closes: for garbage and for answers cut short.
    case raw([UInt8])

    /// Sends the head, then what `body` writes, then closes: for slow, halting and endless answers.
    ///
    /// No length is sent but one in `headers`. To HEAD `body` is not called.
    case stream(
        status: Int, headers: [(name: String, value: String)] = [], body: @Sendable (_ writer: ReplyWriter) -> Void)
}
