/// A number as a type: a session makes its protocols by class, so that each installed cache needs a class of its own.
protocol SlotNumber {
    static var value: Int { get }
    static var protocolClass: LarderURLProtocol.Type { get }
}

extension SlotNumber {
    static var protocolClass: LarderURLProtocol.Type { NumberedProtocol<Self>.self }
}

enum SlotZero: SlotNumber {
    static var value: Int { 0 }
}

/// Twice another number.
enum SlotEven<Half: SlotNumber>: SlotNumber {
    static var value: Int { 2 * Half.value }
}

/// Twice another number, and one.
enum SlotOdd<Half: SlotNumber>: SlotNumber {
    static var value: Int { 2 * Half.value + 1 }
}

/// The type of a number, digit by digit.
func slotNumber(_ value: Int) -> any SlotNumber.Type {
    func even<Half: SlotNumber>(_: Half.Type) -> any SlotNumber.Type { SlotEven<Half>.self }
    func odd<Half: SlotNumber>(_: Half.Type) -> any SlotNumber.Type { SlotOdd<Half>.self }
    guard value > 0 else { return SlotZero.self }
    let half = slotNumber(value / 2)
    return value.isMultiple(of: 2) ? even(half) : odd(half)
}

/// The protocol class of one slot.
final class NumberedProtocol<Number: SlotNumber>: LarderURLProtocol {
    override class var slotNumber: Int { Number.value }
}
