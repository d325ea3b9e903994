public func y(){}
