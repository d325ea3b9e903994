import TrackerConfig
import TrackerCore

/// A whole service on one thread: three processes on one machine, their disk, their network and the servers, driven by steps.
///
/// All that happens follows from the steps. After each one the promises are checked; see ``violations``.
package final class Simulation {
    let clock = VirtualClock()
    let dice = Dice(seed: 0)
    let disk: Disk
    let sabotage: Sabotage?
    var network = Network()
    var server: DocumentServer
    var push: PushServer
    /// Since when all fetches are answered with what was published last, in milliseconds; nil if they are not.
    private(set) var originWorksSince: Int64? = 0
    /// Whether the push server is dead at the end.
    let endsWithoutPush: Bool
    var agenda = Agenda()
    var ledger = Ledger(namespaces: DocumentServer.namespaces.count)
    /// What the simulation came to.
    package internal(set) var coverage = Coverage()
    /// The processes by their seat; nil for one that does not run.
    var processes: [ServiceProcess?] = [nil, nil, nil]
    private var lives = 0
    /// What is in slots that no process has.
    var abandoned: [Int: Disk.Contents] = [:]
    /// When each process first looked at a slot since no process has it, by slot and life.
    var looks: [Int: [Int: Int64]] = [:]
    /// The records that are damaged, and those of them that processes have counted.
    var (damages, countedDamages) = (0, 0)
    /// The highest version that was applied without a canary.
    private var floor: Int?
    /// The versions that were reverted.
    private var reverted: Set<Int> = []
    private var failures: [String] = []
    /// What happened, in words, if it is written down.
    package private(set) var story: [String] = []
    private var lastSentences: [String] = []
    private let isTold: Bool

    /// Creates a simulation whose processes run.
    /// - Parameters:
    ///   - seed: What is decided once, as the settings of the service.
    ///   - sabotage: The promise to break; nil for none.
    ///   - isTold: Whether to write down what happens.
    /// - Throws: If there is no directory for the service.
    package init(seed: UInt64, sabotage: Sabotage? = nil, isTold: Bool = false) throws {
        (self.sabotage, self.isTold) = (sabotage, isTold)
        disk = try Disk()
        dice.reseed(seed)
        server = DocumentServer(clock)
        push = PushServer(dice)
        endsWithoutPush = dice.chance(percent: 30)
        for seat in processes.indices { start(seat) }
    }

    /// The promises that were broken, in words.
    package var violations: [String] { failures + ledger.violations }

    func fail(_ sentence: String) {
        failures.append(sentence)
    }

    func say(_ sentence: @autoclosure () -> String) {
        guard isTold else { return }
        let sentence = sentence()
        // Polls repeat each other for hours.
        guard !lastSentences.contains(sentence) else { return }
        lastSentences = lastSentences.suffix(5) + [sentence]
        story.append("\(clock.milliseconds) ms: \(sentence)")
    }

    // MARK: Steps

    /// Executes a step and checks the promises.
    package func run(_ step: Step) async {
        dice.reseed(step.seed)
        switch step.kind {
        case .proceed: await proceed()
        case .track: running { $0.track(dice.below(3), count: dice.within(1...4), isSynced: false) }
        case .trackCommitted: running { $0.track(dice.below(3), count: 1, isSynced: true) }
        case .flush: running { $0.flush(dice.below($0.deliveries.count)) }
        case .pause: running { pause($0) }
        case .refresh: running { $0.run { $0.refresh($1) } }
        case .publish:
            let publication = server.publish(at: DocumentServer.url, dice)
            coverage.count(.documents)
            say("\(publication.words) is published at \(publication.url)")
            hint(at: publication)
        case .changeNetwork: changeNetwork()
        case .changePush: setPush(dice.chance(percent: 20) ? .fine : dice.pick(PushServer.Weather.allCases))
        case .cutStream: running { $0.cutStream(isSilent: dice.chance(percent: 30)) }
        case .floodHints: running { flood($0) }
        case .changeDisk: running { changeDisk($0) }
        case .removeStore: running { removeStore(of: $0) }
        // Without a reference to the process, which would hold its files open.
        case .damageLength: if let seat = dice.pick(processes)?.seat { damageLength(of: seat) }
        case .damagePage: if let seat = dice.pick(processes)?.seat { damagePage(of: seat) }
        case .jumpClock:
            let jump = dice.pick([-86_400_000, -60_000, 60_000, 3_600_000, 40 * 86_400_000])
            let moved = clock.jump(by: Int64(jump))
            if sabotage == .waitsByWallClock { agenda.delayDeliveries(by: -moved) }
            coverage.count(.clockJumps)
            say("the wall clock jumps by \(jump / 1_000) s")
        case .kill: running { kill($0.seat) }
        case .shutDown: running { shutDown($0) }
        case .start: start(dice.below(processes.count))
        case .failPower: failPower()
        case .audit: audit()
        }
        finishStep()
    }

    private func running(_ body: (ServiceProcess) -> Void) {
        if let process = dice.pick(processes) { body(process) }
    }

    func finishStep() {
        for case let process? in processes {
            if process.isTakeOverDue, process.isUp {
                process.isTakeOverDue = false
                agenda.add(.takeOver, at: clock.milliseconds, of: process.life)
            }
            process.check()
            process.checkPunctuality()
        }
        checkAmounts()
        checkDamages()
    }

    /// The next item of the agenda happens.
    func proceed() async {
        guard let item = agenda.take(late: dice.chance(percent: 5) ? dice.below(8) : 0) else { return }
        clock.advance(to: item.due)
        if case .arrival(let flight) = item.task { return arrive(flight) }
        guard let process = processes.compactMap(\.self).first(where: { $0.life == item.life }) else { return }
        switch item.task {
        case .drain: process.drain(isSynced: false)
        case .postponedWork: process.doPostponedWork()
        case .deliveryTimer(let index): process.deliver(index) { $0.timerFired(queued: $1) }
        case .load(let index, let load): process.load(index, load)
        case .flushTimeout(let index, let id): process.deliver(index) { state, _ in state.flushTimedOut(id) }
        case .arrival: break
        case .answer(let flight): process.received(flight, flight.result)
        case .timer(.canary, let interval):
            // It repeats until it is cancelled.
            agenda.add(.timer(.canary, interval: interval), at: clock.milliseconds + interval, of: process.life)
            process.observeCanary()
        case .timer(let timer, _): process.run(timer == .hint ? .hintTimer : .other) { $0.elapsed(timer, $1) }
        case .stream(let number, let delivery): process.receive(delivery, over: number)
        case .fetchAnswer(let validators): process.answer(validators)
        case .maintenance:
            await process.maintain()
            agenda.add(.maintenance, at: clock.milliseconds + 30_000, of: process.life)
        case .takeOver: await process.takeOver()
        }
    }

    /// The collector takes the events of a request.
    func arrive(_ flight: Flight) {
        guard !flight.hasArrived else { return }
        flight.hasArrived = true
        if flight.isAnswered { coverage.count(.lateArrivals) }
        for id in flight.ids where ledger.arrive(id) { coverage.count(.duplicates) }
    }

    private func pause(_ process: ServiceProcess) {
        let index = dice.below(process.deliveries.count)
        let isPaused = dice.chance(percent: 40)
        say("process \(process.seat) \(isPaused ? "pauses" : "resumes") \(process.deliveries[index].emitter.namespace)")
        coverage.count(.pauses)
        process.setPaused(index, isPaused)
    }

    private func changeNetwork() {
        let weather = dice.chance(percent: 40) ? .fine : dice.pick(Network.Weather.allCases)
        if dice.chance(percent: 70) { network.weather = weather } else { setDocumentWeather(weather) }
        say("the way to the collectors is \(network.weather), to the documents \(network.documentWeather)")
    }

    func setDocumentWeather(_ weather: Network.Weather) {
        network.documentWeather = weather
        let works = weather == .fine || weather == .slow
        originWorksSince = works ? originWorksSince ?? clock.milliseconds : nil
    }

    private func changeDisk(_ process: ServiceProcess) {
        let fault: DiskFault? = dice.pick([nil, nil, .full, .failing])
        if fault == .full { coverage.count(.fullDisks) }
        if fault == .failing { coverage.count(.failingDisks) }
        say("the disk of process \(process.seat) is \(fault?.rawValue ?? "good")")
        process.setDiskFault(fault)
    }

    // MARK: Processes

    func start(_ seat: Int) {
        guard processes[seat] == nil else { return }
        lives += 1
        do {
            let process = try ServiceProcess(self, seat: seat, life: lives)
            processes[seat] = process
            coverage.count(.starts)
            if process.store.slot == nil { fail("process \(seat) has no slot") }
        } catch {
            fail("process \(seat) cannot start: \(error)")
        }
    }

    private func shutDown(_ process: ServiceProcess) {
        say("process \(process.seat) shuts down")
        coverage.count(.shutdowns)
        allowOpenRequests(of: process.life)
        process.shutDown()
        processes[process.seat] = nil
        agenda.removeAll(of: process.life) { _ in true }
        readAbandonedSlots()
        if let slot = process.store.slot { looks[slot] = nil }
        for contents in abandoned.values { checkLeft(contents) }
    }

    /// Takes the requests of a process that are under way, each answered as cancelled.
    func takeAnswers(of life: Int) -> [Flight] {
        var flights: [Flight] = []
        agenda.removeAll(of: life) { task in
            guard case .answer(let flight) = task else { return false }
            flights.append(flight)
            return true
        }
        return flights.map { flight in
            Flight(
                life: life, namespace: flight.namespace, request: flight.request, isTaken: flight.isTaken,
                result: .failure(HTTPTransportError(.cancelled, reason: "the process ends")))
        }
    }

    /// What a process sends and does not hear of may be sent again by the next one.
    func allowOpenRequests(of life: Int) {
        for item in agenda.items where item.life == life {
            if case .answer(let flight) = item.task, flight.isTaken { ledger.allowDuplicate(flight.ids) }
        }
    }

    func isTaken(slot: Int) -> Bool { processes.contains { $0?.store.slot == slot } }

    /// Notes that a version is worth starting with.
    func noteApplication(of configuration: ActiveConfiguration) {
        guard let version = configuration.version, configuration.document?.rollout == nil,
            configuration.state == .fetched
        else { return }
        floor = max(floor ?? version, version)
    }

    func noteReversion(of configuration: ActiveConfiguration) {
        if let version = configuration.version { reverted.insert(version) }
        if configuration.document?.rollout == nil { fail("a document without a canary is reverted") }
    }

    /// A process starts with no lower version than one that had proved itself.
    func checkStart(of process: ServiceProcess, with configuration: ActiveConfiguration?) {
        guard let floor else { return }
        // The cache has two documents. After a jump of the clock a canary may seem to be proved, and take the last good one's
        // place; if both are reverted then, there is no third to start with.
        if reverted.count(where: { $0 > floor }) > 1 { return }
        // What is reverted, or not proved yet, is a version: another document of the same version may be a canary.
        if server.all.values.contains(where: { $0.document?.version == floor && $0.document?.rollout != nil }) {
            return
        }
        if configuration?.document == nil || configuration?.version ?? 0 < floor {
            fail("process \(process.seat) starts with \(process.words(configuration)), although \(floor) was in use")
        }
    }
}
