import Testing

@testable import TrackerCore

@Suite("EmissionSchedule")
struct EmissionScheduleTests {
    private typealias Action = EmissionSchedule.Action

    private func schedule(_ state: EmissionSchedule.State) -> EmissionSchedule {
        var schedule = EmissionSchedule()
        switch state {
        case .idle: break
        case .waiting: _ = schedule.eventsStored(queued: 1, threshold: 10)
        case .sending: _ = schedule.flush(queued: 1)
        case .backingOff:
            _ = schedule.flush(queued: 1)
            _ = end(&schedule, .failed(retryAfter: nil))
        }
        #expect(schedule.state == state)
        return schedule
    }

    private func end(
        _ schedule: inout EmissionSchedule, _ result: EmissionSchedule.PassResult, queued: Int = 1,
        isFlushing: Bool = false
    ) -> Action {
        schedule.passEnded(
            result, queued: queued, threshold: 10, isFlushing: isFlushing, fraction: 0.5, maxDelay: .seconds(60))
    }

    static let states: [EmissionSchedule.State] = [.idle, .waiting, .sending, .backingOff]

    @Test("stored events start the timer, and enough of them a pass, unless one runs or must wait")
    func eventsStored() {
        let table: [(EmissionSchedule.State, few: Action, enough: Action)] = [
            (.idle, .startTimer(.seconds(1)), .startPass), (.waiting, .none, .startPass), (.sending, .none, .none),
            (.backingOff, .none, .none),
        ]
        for (state, few, enough) in table {
            var schedule = schedule(state)
            #expect(schedule.eventsStored(queued: 9, threshold: 10) == few)
            schedule = self.schedule(state)
            #expect(schedule.eventsStored(queued: 10, threshold: 10) == enough)
            schedule = self.schedule(state)
            #expect(schedule.eventsStored(queued: 0, threshold: 1) == .none)
            #expect(schedule.state == state)
        }
    }

    @Test("the timer starts a pass where one is waited for, and none without events")
    func timerFired() {
        let table: [(EmissionSchedule.State, Action)] = [
            (.idle, .none), (.waiting, .startPass), (.sending, .none), (.backingOff, .startPass),
        ]
        for (state, action) in table {
            var schedule = schedule(state)
            #expect(schedule.timerFired(queued: 1) == action)
            schedule = self.schedule(state)
            #expect(schedule.timerFired(queued: 0) == .none)
            #expect(schedule.state == (state == .sending ? .sending : .idle))
        }
    }

    @Test("a flush starts a pass at once, even in a back-off, and never a second one")
    func flush() {
        for state in Self.states {
            var schedule = schedule(state)
            #expect(schedule.flush(queued: 1) == (state == .sending ? .none : .startPass))
            #expect(schedule.state == .sending)
            schedule = self.schedule(state)
            #expect(schedule.flush(queued: 0) == .none)
        }
    }

    @Test("after a pass the rest is sent at once, waits for company, or for the back-off")
    func passEnded() {
        let table: [(EmissionSchedule.PassResult, queued: Int, isFlushing: Bool, Action, EmissionSchedule.State)] = [
            (.done(isFull: false), 0, false, .none, .idle), (.done(isFull: true), 0, true, .none, .idle),
            (.done(isFull: true), 1, false, .startPass, .sending),
            (.done(isFull: false), 1, true, .startPass, .sending),
            (.done(isFull: false), 9, false, .startTimer(.seconds(1)), .waiting),
            (.done(isFull: false), 10, false, .startPass, .sending),
            (.failed(retryAfter: nil), 5, false, .startTimer(.milliseconds(50)), .backingOff),
            (.failed(retryAfter: nil), 5, true, .startTimer(.milliseconds(50)), .backingOff),
            (.failed(retryAfter: .seconds(9)), 5, true, .startTimer(.seconds(9)), .backingOff),
        ]
        for (result, queued, isFlushing, action, state) in table {
            var schedule = schedule(.sending)
            #expect(end(&schedule, result, queued: queued, isFlushing: isFlushing) == action)
            #expect(schedule.state == state)
        }
    }

    @Test("failures in a row wait longer, and a success forgets them")
    func backsOff() {
        var schedule = schedule(.sending)
        for wait in [50, 100, 200, 400] {
            #expect(end(&schedule, .failed(retryAfter: nil)) == .startTimer(.milliseconds(wait)))
            #expect(schedule.timerFired(queued: 1) == .startPass)
        }
        _ = end(&schedule, .done(isFull: false), queued: 0)
        _ = schedule.flush(queued: 1)
        #expect(end(&schedule, .failed(retryAfter: nil)) == .startTimer(.milliseconds(50)))
    }

    @Test("while paused nothing starts, and resuming sends what there is", arguments: states)
    func pauses(state: EmissionSchedule.State) {
        var schedule = schedule(state)
        schedule.pause()
        #expect(schedule.isPaused)
        #expect(schedule.eventsStored(queued: 100, threshold: 1) == .none)
        #expect(schedule.timerFired(queued: 100) == .none)
        #expect(schedule.flush(queued: 100) == .none)
        if state == .sending {
            var other = schedule
            #expect(other.resume(queued: 1) == .none, "the pass of before is under way")
            #expect(end(&schedule, .done(isFull: true), queued: 9, isFlushing: true) == .none)
        }
        #expect(schedule.resume(queued: 0) == .none)
        schedule.pause()
        #expect(schedule.resume(queued: 1) == .startPass)
        #expect(schedule.resume(queued: 1) == .none)
    }

    @Test("a pass that fails while paused starts no timer")
    func failsWhilePaused() {
        var schedule = schedule(.sending)
        schedule.pause()
        #expect(end(&schedule, .failed(retryAfter: .seconds(5))) == .none)
        #expect(schedule.resume(queued: 1) == .startPass)
    }
}
