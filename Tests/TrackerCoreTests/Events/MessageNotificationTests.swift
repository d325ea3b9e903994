import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("MessageNotification", .endsWhenItHangs)
struct MessageNotificationTests {
    private typealias Notification = MessageNotification

    @Test("A date that RFC 3339 cannot write is left out")
    func dateIsBounded() {
        let event = Notification(
            title: "t", body: "b", trigger: .push, notificationTimestamp: Date(timeIntervalSince1970: .nan))
        #expect(event.data == ["title": "t", "body": "b", "trigger": "push"])
    }

    @Test("Empty lists are left out, and the attachments are objects")
    func dataIsWritten() {
        let attachment = Notification.Attachment(identifier: "i", url: "https://example.com/i.png", type: "image")
        let least = Notification(title: "t", body: "b", trigger: .timeInterval)
        let more = Notification(
            title: "t", body: "b", trigger: .other, bodyLocArgs: ["x"], notificationCount: 2, attachments: [attachment])
        #expect(least.data == ["title": "t", "body": "b", "trigger": "timeInterval"])
        #expect(
            more.data == [
                "title": "t", "body": "b", "trigger": "other", "bodyLocArgs": ["x"], "notificationCount": 2,
                "attachments": [["identifier": "i", "url": "https://example.com/i.png", "type": "image"]],
            ])
    }
}
