import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerEcommerce

/// What leaves a tracker, as a collector gets it.
@Suite("events on the wire", .endsWhenItHangs)
struct EventWireTests {
    @Test("Every event of the corpus is taken and sent as it was written")
    func corpusIsSent() async throws {
        let events = EventCorpus.events()
        let sent = try await send(events)
        try #require(sent.count == events.count)
        for (event, parameters) in zip(events, sent) {
            switch event.content.form {
            case .selfDescribing(let schema, let data):
                #expect(parameters["e"] == "ue")
                #expect(try json(parameters["ue_pr"])["data"] == ["schema": .string(schema), "data": .object(data)])
            case .parameters(let type, let own):
                #expect(parameters["e"] == type.rawValue)
                for parameter in own { #expect(parameters[parameter.name] == parameter.value) }
            case .invalid: Issue.record("not in the corpus")
            }
            let entities = event.entities.map { entity -> JSONValue in
                ["schema": .string(entity.schema), "data": .object(entity.data)]
            }
            #expect(try parameters["co"].map { try json($0)["data"]?.array } ?? [] == entities)
        }
    }

    @Test("A page ping has its offsets as decimal digits")
    func pagePing() async throws {
        let event = PagePing(
            url: "https://example.com/a", title: "A", referrer: "https://example.com/", minOffsetX: -1, maxOffsetX: 20,
            minOffsetY: 0, maxOffsetY: 300)
        try await expect(
            event,
            [
                "e": "pp", "url": "https://example.com/a", "page": "A", "refr": "https://example.com/", "pp_mix": "-1",
                "pp_max": "20", "pp_miy": "0", "pp_may": "300",
            ])
        try await expect(PagePing(url: "u"), ["e": "pp", "url": "u"])
    }

    @Test("A transaction has its amounts as decimal digits")
    func transaction() async throws {
        let event = EcommerceTransaction(
            orderID: "o-1", total: 12.5, affiliation: "web", tax: 2, shipping: 0.5, city: "Bern", state: "BE",
            country: "CH", currency: "CHF")
        try await expect(
            event,
            [
                "e": "tr", "tr_id": "o-1", "tr_tt": "12.5", "tr_af": "web", "tr_tx": "2.0", "tr_sh": "0.5",
                "tr_ci": "Bern", "tr_st": "BE", "tr_co": "CH", "tr_cu": "CHF",
            ])
        try await expect(
            EcommerceTransaction(orderID: "o-1", total: 0), ["e": "tr", "tr_id": "o-1", "tr_tt": "0.0"])
    }

    @Test("An item has its price and quantity as decimal digits")
    func item() async throws {
        let event = EcommerceTransactionItem(
            orderID: "o-1", sku: "sku-1", price: 6.25, quantity: 2, name: "Runner", category: "Shoes", currency: "CHF")
        try await expect(
            event,
            [
                "e": "ti", "ti_id": "o-1", "ti_sk": "sku-1", "ti_nm": "Runner", "ti_ca": "Shoes", "ti_pr": "6.25",
                "ti_qu": "2", "ti_cu": "CHF",
            ])
    }

    @Test(
        "A transaction or an item with a number that is not finite is not tracked",
        arguments: [Double.infinity, -.infinity, .nan])
    func finite(number: Double) async throws {
        let tracker = try await Rig().tracker()
        #expect(tracker.track(EcommerceTransaction(orderID: "o", total: number)) == nil)
        #expect(tracker.track(EcommerceTransaction(orderID: "o", total: 1, tax: number)) == nil)
        #expect(tracker.track(EcommerceTransaction(orderID: "o", total: 1, shipping: number)) == nil)
        #expect(tracker.track(EcommerceTransactionItem(orderID: "o", sku: "s", price: number, quantity: 1)) == nil)
        let product = Ecommerce.Product(id: "i", category: "c", price: number, currency: "EUR")
        #expect(tracker.track(EcommerceEvent.productView(product)) == nil)
    }

    /// Expects an event to have exactly these parameters beside those that every event has.
    private func expect(
        _ event: some Event, _ expected: [String: String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let common: Set = ["eid", "dtm", "stm", "tv", "tna", "aid", "p"]
        let sent = try await send([event]).map { $0.filter { !common.contains($0.key) } }
        #expect(sent == [expected], sourceLocation: sourceLocation)
    }

    private func send(_ events: [any Event]) async throws -> [[String: String]] {
        let rig = Rig()
        let tracker = try await rig.tracker { $0.tracker?.base64Encoding = false }
        for event in events { #expect(tracker.track(event) != nil) }
        await rig.pipeline.shutdown()
        return rig.events
    }

    private func json(_ text: String?) throws -> JSONValue {
        try JSONReader.read(Array(try #require(text).utf8)).value
    }
}
