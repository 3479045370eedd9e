/// What a fetch closure of a resource is told.
public struct ResourceRequest: Sendable, Hashable {
    public let key: String
    /// The validators of what is stored, if it can be reused when the server says "not modified".
    public let validators: Validators?
}

/// What a typed fetch closure brings back when it knows more than the value.
public enum Answer<Value: Sendable>: Sendable {
    case value(Value, validators: Validators = .init(), maxAge: Duration? = nil)
    /// What is stored is still right (304).
    case notModified
}
