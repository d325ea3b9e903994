import TrackerCore

/// The values that ecommerce events carry as entities.
///
/// ```swift
/// let product = try Ecommerce.Product(id: "sku-1", category: "Shoes/Sneakers", price: 59.9, currency: "EUR")
/// let cart = try Ecommerce.Cart(totalValue: 119.8, currency: "EUR")
/// tracker.track(AddToCartEvent(products: [product], cart: cart))
/// ```
///
/// All bounds are those of the schemas of `com.snowplowanalytics.snowplow.ecommerce`. An amount is rounded to hundredths
/// where it is away from one by no more than the error of a sum.
public enum Ecommerce {}
