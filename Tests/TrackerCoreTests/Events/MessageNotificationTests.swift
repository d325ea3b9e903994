import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("MessageNotification", .endsWhenItHangs)
struct MessageNotificationTests {
    private typealias Notification = MessageNotification

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
