import Foundation
import Testing
import TrackerClientEvents
import TrackerCore

struct MessageNotificationTests {
    private typealias Notification = MessageNotification

    @Test(
        "Values are bounded as the schema has it",
        arguments: [
            Bound.text("title", atMost: 1024) { try Notification(title: $0, body: "b", trigger: .push) },
            Bound.text("body", atMost: 4096) { try Notification(title: "t", body: $0, trigger: .push) },
            Bound.text("sound", atMost: 1024) { try Notification(title: "t", body: "b", trigger: .push, sound: $0) },
            Bound.text("action", atMost: 1024) { try Notification(title: "t", body: "b", trigger: .push, action: $0) },
            Bound.text("bodyLocKey", atMost: 1024) {
                try Notification(title: "t", body: "b", trigger: .push, bodyLocKey: $0)
            },
            Bound.text("bodyLocArgs[1]", atMost: 1024) {
                try Notification(title: "t", body: "b", trigger: .push, bodyLocArgs: ["", $0])
            },
            Bound.text("titleLocKey", atMost: 1024) {
                try Notification(title: "t", body: "b", trigger: .push, titleLocKey: $0)
            },
            Bound.text("titleLocArgs[0]", atMost: 1024) {
                try Notification(title: "t", body: "b", trigger: .push, titleLocArgs: [$0])
            },
            Bound.text("group", atMost: 1024) { try Notification(title: "t", body: "b", trigger: .push, group: $0) },
            Bound.text("category", atMost: 1024) {
                try Notification(title: "t", body: "b", trigger: .push, category: $0)
            },
            Bound.integer("notificationCount", 0...10_000) {
                try Notification(title: "t", body: "b", trigger: .push, notificationCount: $0)
            },
            Bound.text("subtitle", atMost: 1024) {
                try Notification(title: "t", body: "b", trigger: .push, subtitle: $0)
            },
            Bound.text("threadIdentifier", atMost: 1024) {
                try Notification(title: "t", body: "b", trigger: .push, threadIdentifier: $0)
            },
            Bound.text("icon", atMost: 1024) { try Notification(title: "t", body: "b", trigger: .push, icon: $0) },
            Bound.text("tag", atMost: 1024) { try Notification(title: "t", body: "b", trigger: .push, tag: $0) },
        ])
    func valuesAreBounded(_ bound: Bound) {
        bound.check("MessageNotification")
    }

    @Test(
        "An attachment's values are bounded as the schema has it",
        arguments: [
            Bound.text("identifier", atMost: 1024) {
                try Notification.Attachment(identifier: $0, url: "a:b", type: "t")
            },
            Bound.uri("url", atMost: 1024) { try Notification.Attachment(identifier: "i", url: $0, type: "t") },
            Bound.text("type", atMost: 1024) { try Notification.Attachment(identifier: "i", url: "a:b", type: $0) },
        ])
    func attachmentsAreBounded(_ bound: Bound) {
        bound.check("MessageNotification.Attachment")
    }

    @Test("A date that cannot be written is refused")
    func dateIsBounded() {
        #expect(
            sentence {
                try Notification(
                    title: "t", body: "b", trigger: .push, notificationTimestamp: Date(timeIntervalSince1970: .nan))
            } == "MessageNotification: notificationTimestamp: expected a date in the years 0000 to 9999")
    }

    @Test("Empty lists are left out, and the attachments are objects")
    func dataIsWritten() throws {
        let attachment = try Notification.Attachment(identifier: "i", url: "https://example.com/i.png", type: "image")
        let least = try Notification(title: "t", body: "b", trigger: .timeInterval)
        let more = try Notification(
            title: "t", body: "b", trigger: .other, bodyLocArgs: ["x"], notificationCount: 2, attachments: [attachment])
        #expect(least.data == ["title": "t", "body": "b", "trigger": "timeInterval"])
        #expect(
            more.data == [
                "title": "t", "body": "b", "trigger": "other", "bodyLocArgs": ["x"], "notificationCount": 2,
                "attachments": [["identifier": "i", "url": "https://example.com/i.png", "type": "image"]],
            ])
    }
}
