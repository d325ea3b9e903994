import Foundation
import TrackerClientEvents
import TrackerCore
import TrackerEcommerce

/// Every event with all its fields and with the least, and with every entity once.
enum EventCorpus {
    static func events() -> [any Event] {
        pages() + consent() + application() + shop()
    }

    private static func pages() -> [any Event] {
        [
            PagePing(
                url: "https://example.com/a", title: "A", referrer: "https://example.com/", minOffsetX: -1,
                maxOffsetX: 20, minOffsetY: 0, maxOffsetY: 2_147_483_647),
            PagePing(url: "https://example.com/a"),
            LinkClick(
                targetURL: "/next", elementID: "next", elementClasses: ["button", "wide"], elementTarget: "_blank",
                elementContent: "Next"),
            LinkClick(targetURL: "/next"),
            DeepLinkReceived(url: "app://item/17", referrer: "https://example.com/?q=%C3%A9"),
            DeepLinkReceived(url: "app://item/17"),
            WithEntities(entities: [WebPage(id: UUID()).entity]),
        ]
    }

    private static func consent() -> [any Event] {
        let document = ConsentDocument(
            id: "terms", version: "3", name: "Terms", documentDescription: "What we agreed on")
        return [
            ConsentGranted(expiry: Date(timeIntervalSince1970: 1_900_000_000.5), documents: [document]),
            ConsentGranted(),
            ConsentWithdrawn(all: false, documents: [document, ConsentDocument(id: "a", version: "1")]),
            ConsentWithdrawn(all: true),
            ConsentPreferences(
                action: .allowSelected, basis: .legitimateInterests, consentURL: "https://example.com/privacy",
                consentVersion: "2.1", consentScopes: ["analytics", "ads"], domainsApplied: ["example.com"],
                gdprApplies: true),
            ConsentPreferences(
                action: .implicitConsent, basis: .contract, consentURL: "https://example.com/privacy",
                consentVersion: "", consentScopes: [""], domainsApplied: [""]),
            WithEntities(entities: [
                GDPR(
                    basis: .vitalInterests, documentID: "d", documentVersion: "1", documentDescription: "Why"
                ).entity, GDPR(basis: .consent).entity,
            ]),
        ]
    }

    private static func application() -> [any Event] {
        [
            ApplicationError(
                message: "no paper", exceptionName: "paper_error",
                className: "printer", isFatal: true, stackTrace: "main", causeStackTrace: "tray",
                fileName: "printer.cpp", lineNumber: 17, lineColumn: 2_147_483_647, threadName: "main", threadID: 0),
            ApplicationError(message: ""),
            ApplicationError(CancellationError()),
            MessageNotification(
                title: "Ready", body: "Your order is ready", trigger: .push,
                notificationTimestamp: Date(timeIntervalSince1970: 1_700_000_000), sound: "bell", action: "open",
                bodyLocKey: "ready.body", bodyLocArgs: ["17"], titleLocKey: "ready.title", titleLocArgs: ["", "17"],
                group: "orders", category: "order", notificationCount: 10_000, subtitle: "Order 17",
                contentAvailable: false, threadIdentifier: "t", icon: "i", tag: "t",
                attachments: [
                    MessageNotification.Attachment(identifier: "a", url: "https://example.com/a", type: "image")
                ]),
            MessageNotification(title: "", body: "", trigger: .timeInterval),
        ]
    }

    private static func shop() -> [any Event] {
        let product = Ecommerce.Product(
            id: "sku-1", category: "Shoes/Sneakers", price: 19.99, currency: "EUR", name: "Runner", listPrice: 0.29,
            quantity: 0, size: "42", variant: "blue", brand: "Example", inventoryStatus: "preorder",
            position: 9_999_999, creativeID: "c")
        let leastProduct = Ecommerce.Product(id: "", category: "", price: 0, currency: "EUR")
        let cart = Ecommerce.Cart(totalValue: 0.1 + 0.2, currency: "EUR", cartID: "c-1")
        let leastCart = Ecommerce.Cart(totalValue: 9_999_999, currency: "EUR")
        let transaction = Ecommerce.Transaction(
            transactionID: "t-1", revenue: 1.1 * 3, currency: "EUR", paymentMethod: "card", totalQuantity: 1, tax: 0.01,
            shipping: 4.35, discountCode: "SPRING", discountAmount: 0.07, creditOrder: false)
        let leastTransaction = Ecommerce.Transaction(
            transactionID: "", revenue: 0, currency: "EUR", paymentMethod: "", totalQuantity: 0)
        let failure = Ecommerce.TransactionError(
            errorCode: "E522", errorShortcode: "card_declined", errorDescription: "The card was declined",
            errorType: .hard, resolution: "retry_allowed")
        let step = Ecommerce.CheckoutStep(
            step: 90, shippingPostcode: "1000", billingPostcode: "1000", shippingFullAddress: "Street 1",
            billingFullAddress: "Street 1", deliveryProvider: "DHL", deliveryMethod: "express", couponCode: "SPRING",
            accountType: "guest", paymentMethod: "card", proofOfPayment: "invoice", marketingOptIn: false)
        let promotion = Ecommerce.Promotion(
            id: "p-1", name: "Spring", productIDs: ["sku-1"], position: 1, creativeID: "c", type: "popup",
            slot: "sidebar-1")
        let refund = Ecommerce.Refund(
            transactionID: "t-1", currency: "EUR", refundAmount: 8.7, refundReason: "too small")
        return [
            EcommerceEvent.productView(product),
            EcommerceEvent.productListView([product, leastProduct], name: "search"),
            EcommerceEvent.productListView([]),
            EcommerceEvent.productListClick(product, name: "search"),
            EcommerceEvent.productListClick(product),
            EcommerceEvent.addToCart([product], cart: cart),
            EcommerceEvent.removeFromCart([leastProduct], cart: leastCart),
            EcommerceEvent.checkoutStep(step),
            EcommerceEvent.checkoutStep(Ecommerce.CheckoutStep(step: 1)),
            EcommerceEvent.transaction(transaction, products: [product]),
            EcommerceEvent.transaction(leastTransaction),
            EcommerceEvent.transactionError(failure, transaction: transaction),
            EcommerceEvent.transactionError(Ecommerce.TransactionError(), transaction: leastTransaction),
            EcommerceEvent.refund(refund, products: [product]),
            EcommerceEvent.refund(Ecommerce.Refund(transactionID: "", currency: "EUR", refundAmount: 0)),
            EcommerceEvent.promotionView(promotion),
            EcommerceEvent.promotionClick(Ecommerce.Promotion(id: "p-1")),
            WithEntities(entities: [
                Ecommerce.User(id: "u-1", isGuest: true, email: "u@example.com").entity,
                Ecommerce.User(id: "u-1").entity,
                Ecommerce.Page(type: "home", language: "en", locale: "en-GB").entity,
                Ecommerce.Page(type: "home").entity,
            ]),
            EcommerceTransaction(
                orderID: "o-1", total: 12.5, affiliation: "web", tax: 2, shipping: 0.5, city: "Bern", state: "BE",
                country: "CH", currency: "CHF"),
            EcommerceTransaction(orderID: "o-1", total: -12.5),
            EcommerceTransactionItem(
                orderID: "o-1", sku: "sku-1", price: 6.25, quantity: 2, name: "Runner", category: "Shoes",
                currency: "CHF"),
            EcommerceTransactionItem(orderID: "o-1", sku: "sku-1", price: 6.25, quantity: -2),
        ]
    }

    /// An event that is there for its entities.
    struct WithEntities: Event {
        let entities: [Entity]
        var content: EventContent { Structured(category: "corpus", action: "entities").content }
    }
}
