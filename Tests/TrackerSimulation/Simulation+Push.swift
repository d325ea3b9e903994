import TrackerCore

extension Simulation {
    /// The push server hints at a publication to all that listen.
    func hint(at publication: Publication) {
        for case let process? in processes {
            guard let connection = process.stream.connection, connection.isOpen, !connection.isDead else { continue }
            let hints = push.hints(at: publication, dice)
            if hints.isEmpty { coverage.count(.lostHints) }
            process.expect(hints, over: connection.number)
        }
    }

    func flood(_ process: ServiceProcess) {
        guard let connection = process.stream.connection, connection.isOpen, !connection.isDead else { return }
        say("hints flood process \(process.seat)")
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
