import TrackerConfig
import TrackerFeatures

extension ServiceProcess {
    /// What a process has to do with the push server.
    struct Stream {
        /// The open connection, or the one that is being opened.
        var connection: PushServer.Connection?
        /// The number of the last one.
        var last = 0
        /// How many were open.
        var opened = 0
        /// Whether the next fetch is the one that the first of them leads to.
        var isFirst = false
        /// Before when the server wants no connection, in milliseconds.
        var earliest: Int64 = 0
        /// Whether the server has refused connections for now, or none is known: the next fetch that succeeds asks again.
        var awaitsFetch = true

        var isOpen: Bool { connection?.isOpen == true }
    }

    func openStream(_ number: Int) -> Bool {
        if stream.connection != nil { world.fail("process \(seat) connects while it is connected") }
        let wait = stream.earliest - world.clock.milliseconds
        if wait > 0 { world.fail("process \(seat) connects \(wait) ms before the push server wants it") }
        stream.last = number
        stream.awaitsFetch = !world.push.isOffered || (world.push.isLearnt && !punctuality.hasFetched)
        guard !stream.awaitsFetch else { return false }
        stream.connection = PushServer.Connection(number: number)
        expect(world.push.welcome(world.dice), over: number)
        return true
    }

    /// Plans what comes over a connection.
    func expect(_ deliveries: [PushServer.Delayed], over number: Int) {
        for (delivery, delay) in deliveries {
            world.agenda.add(.stream(number: number, delivery), at: world.clock.milliseconds + Int64(delay), of: life)
        }
    }

    /// Something comes over a connection.
    func receive(_ delivery: PushServer.Delivery, over number: Int) {
        guard let connection = stream.connection, connection.number == number else {
            // It was closed, or it had ended by itself.
            guard number != stream.last else { return }
            world.coverage.count(.hintsAfterClose)
            return take(delivery, over: number)
        }
        switch delivery {
        case .opens(let isDead):
            world.coverage.count(.connections)
            stream.connection?.isOpen = true
            stream.connection?.isDead = isDead
            stream.opened += 1
            if stream.opened == 1 { stream.isFirst = true }
            take(delivery, over: number)
        case .hint(let hint, let publication):
            guard !connection.isDead else { return }
            world.coverage.count(.hints)
            punctuality.noteHint(hint, active: activeVersion)
            if world.sabotage != .ignoresHints { take(delivery, over: number) }
            checkAnswered(hint, about: publication)
        case .ends(let failure):
            world.say("the connection of process \(seat) ends: \(failure?.reason ?? "without an error")")
            world.coverage.count(failure == PushServer.silence ? .silences : .cuts)
            stream.connection = nil
            if let wait = failure?.retryAfter {
                stream.earliest = world.clock.milliseconds + Int64(wait / .milliseconds(1))
            }
            if let status = failure?.status {
                world.coverage.count(.refusedConnections)
                stream.awaitsFetch = status == 204 || (status / 100 == 4 && status != 408 && status != 429)
            }
            take(delivery, over: number)
        }
    }

    private func take(_ delivery: PushServer.Delivery, over number: Int) {
        switch delivery {
        case .opens: run(.hint) { $0.hinted(ChangeHint(), number, $1) }
        case .hint(let hint, _): run(.hint) { $0.hinted(hint, number, $1) }
        case .ends(let failure): run { $0.streamEnded(failure, number, $1) }
        }
    }

    /// A connection is lost, or nothing comes over it any more.
    func cutStream(isSilent: Bool) {
        guard let connection = stream.connection, !connection.isDead else { return }
        stream.connection?.isDead = true
        let delay = isSilent ? PushServer.silenceLimit : world.dice.within(0...1_000)
        let failure = isSilent ? PushServer.silence : world.dice.pick([PushServer.cut, nil])
        expect([(.ends(failure), delay)], over: connection.number)
    }
}
