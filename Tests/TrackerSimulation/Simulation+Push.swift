import TrackerCore

extension Simulation {
    /// The push server says to all that listen that there is a publication.
    func signal(_ publication: Publication) {
        let former = Array((server.published[publication.url] ?? []).dropLast().suffix(3))
        for case let process? in processes {
            for connection in process.stream.connections
            where connection.isOpen && !connection.isDead {
                let signals = push.signals(of: publication, after: former, dice)
                if signals.isEmpty { coverage.count(.lostSignals) }
                process.expect(signals, over: connection.number)
            }
        }
    }

    func flood(_ process: ServiceProcess) {
        guard let connection = process.stream.connections.first(where: { $0.isOpen && !$0.isDead }) else { return }
        say("signals flood process \(process.seat)")
        coverage.count(.floods)
        process.expect(push.flood(dice), over: connection.number)
    }

    func setPush(_ weather: PushServer.Weather) {
        say("the push server is \(weather)")
        push.weather = weather
        guard weather == .down || weather == .frozen else { return }
        for process in processes { process?.cutStream(isSilent: weather == .frozen) }
    }
}
