/// The reply of the server to a request.
package enum ServerReply: Sendable {
    /// A complete answer.
    ///
    /// `Content-Length` is added and replaces one in `headers`. For HEAD the body is not sent, but its length is; with
    /// 204 and 304 neither is sent. With `closes`, the answer has `Connection: close`, and the connection is closed
    /// after it.
    case response(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closes: Bool = false)

    /// Closes the connection without an answer.
    case drop

    /// Sends raw bytes, then closes the connection: for invalid and truncated answers.
    case raw([UInt8])

    /// Sends the head, then the output of `body`, then closes the connection: for slow, interrupted and endless
    /// answers.
    ///
    /// The length is sent only if it is in `headers`. For HEAD `body` is not called.
    case stream(
        status: Int, headers: [(name: String, value: String)] = [], body: @Sendable (_ writer: ReplyWriter) -> Void)
}
