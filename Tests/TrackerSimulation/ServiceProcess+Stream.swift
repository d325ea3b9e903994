import TrackerConfig
import TrackerCore

extension ServiceProcess {
    /// What a process has to do with the push server.
    struct Stream {
        /// The open connection, or the one that is being opened; more only if one is forgotten.
        var connections: [PushServer.Connection] = []
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

        var isOpen: Bool { connections.contains(where: \.isOpen) }
    }

    func openStream(_ number: Int) {
        closeStream()
        let wait = stream.earliest - world.clock.milliseconds
        if wait > 0 { world.fail("process \(seat) connects \(wait) ms before the push server wants it") }
        stream.last = number
        stream.awaitsFetch = !world.push.isOffered || (world.push.isLearnt && !punctuality.hasFetched)
        guard !stream.awaitsFetch else { return handle(.streamMissing) }
        stream.connections.append(PushServer.Connection(number: number))
        expect(world.push.welcome(world.dice), over: number)
    }

    private func closeStream() {
        guard world.sabotage != .leaksConnections else { return }
        let numbers = stream.connections.map(\.number)
        stream.connections = []
        // What is on its way when a connection is closed may come all the same.
        guard !numbers.isEmpty, !world.dice.chance(percent: 10) else { return }
        world.agenda.removeAll(of: life) { task in
            if case .stream(let number, _) = task { numbers.contains(number) } else { false }
        }
    }

    /// Plans what comes over a connection.
    func expect(_ deliveries: [PushServer.Delayed], over number: Int) {
        for (delivery, delay) in deliveries {
            world.agenda.add(.stream(number: number, delivery), at: world.clock.milliseconds + Int64(delay), of: life)
        }
    }

    /// Something comes over a connection.
    func receive(_ delivery: PushServer.Delivery, over number: Int) {
        guard let index = stream.connections.firstIndex(where: { $0.number == number }) else {
            // It was closed, or it had ended by itself.
            guard number != stream.last else { return }
            world.coverage.count(.hintsAfterClose)
            return handle(event(for: delivery, number))
        }
        switch delivery {
        case .opens(let isDead):
            world.coverage.count(.connections)
            (stream.connections[index].isOpen, stream.connections[index].isDead) = (true, isDead)
            stream.opened += 1
            if stream.opened == 1 { stream.isFirst = true }
            handle(.hinted(ChangeHint(), number))
        case .hint(let hint, let publication):
            guard !stream.connections[index].isDead else { return }
            world.coverage.count(.hints)
            punctuality.noteHint(hint, active: activeVersion)
            if world.sabotage != .ignoresHints { handle(.hinted(hint, number)) }
            checkAnswered(hint, about: publication)
        case .ends(let failure):
            world.say("the connection of process \(seat) ends: \(failure?.reason ?? "without an error")")
            world.coverage.count(failure == PushServer.silence ? .silences : .cuts)
            stream.connections.remove(at: index)
            if let wait = failure?.retryAfter {
                stream.earliest = world.clock.milliseconds + Int64(wait / .milliseconds(1))
            }
            if let status = failure?.status {
                world.coverage.count(.refusedConnections)
                stream.awaitsFetch = status == 204 || (status / 100 == 4 && status != 408 && status != 429)
            }
            handle(.streamEnded(failure, number))
        }
    }

    private func event(for delivery: PushServer.Delivery, _ number: Int) -> Lifecycle.Event {
        switch delivery {
        case .opens: .hinted(ChangeHint(), number)
        case .hint(let hint, _): .hinted(hint, number)
        case .ends(let failure): .streamEnded(failure, number)
        }
    }

    /// A connection is lost, or nothing comes over it any more.
    func cutStream(isSilent: Bool) {
        for index in stream.connections.indices where !stream.connections[index].isDead {
            stream.connections[index].isDead = true
            let delay = isSilent ? PushServer.silenceLimit : world.dice.within(0...1_000)
            let failure = isSilent ? PushServer.silence : world.dice.pick([PushServer.cut, nil])
            expect([(.ends(failure), delay)], over: stream.connections[index].number)
        }
    }
}
