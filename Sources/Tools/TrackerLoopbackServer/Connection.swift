/// A client's connection, served on its own thread.
struct Connection {
    /// The client.
    let socket: Socket

    /// The connection's number, from 1.
    let number: Int

    /// The maximum size of a body, in bytes.
    let bodyLimit: Int

    /// Answers the requests.
    let handler: @Sendable (ServerRequest) -> ServerReply

    /// Answers requests until either side closes the connection.
    func serve() {
        var reader = RequestReader(socket: socket, connection: number, bodyLimit: bodyLimit)
        var next = Step.read
        while next == .read {
            do throws(RequestFault) {
                let request = try reader.next()
                next = send(handler(request), to: request)
            } catch {
                next = refuse(error)
            }
        }
        if next == .finish {
            socket.finishSending()
            reader.drain()
        }
    }

    /// The step after an answer.
    private enum Step {
        case read
        case finish
        case close
    }

    private func send(_ reply: ServerReply, to request: ServerRequest) -> Step {
        let isHead = request.method == "HEAD"
        switch reply {
        case .response(let status, let headers, let body, let closes):
            let closes = closes || !request.keepsConnection
            let head = ReplyHead(status: status, headers: headers, length: body.count, closes: closes)
            guard socket.send(head.bytes + (isHead || !head.allowsBody ? [] : body)) else { return .close }
            return closes ? .finish : .read
        case .drop:
            return .close
        case .raw(let bytes):
            return socket.send(bytes) ? .finish : .close
        case .stream(let status, let headers, let body):
            guard socket.send(ReplyHead(streaming: status, headers: headers).bytes) else { return .close }
            if !isHead { body(ReplyWriter(socket: socket)) }
            return .finish
        }
    }

    private func refuse(_ fault: RequestFault) -> Step {
        guard let status = fault.status else { return .close }
        let head = ReplyHead(status: status, headers: [], length: 0, closes: true)
        return socket.send(head.bytes) ? .finish : .close
    }
}
