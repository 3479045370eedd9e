/// RFC 9111 and what belongs to it, as functions of what was asked, what is stored and what time it is: nothing here reads a
/// clock, a disk or a network, and nothing traps, whatever stands in a field.
///
/// - A request comes: ``key(of:)`` names the place, ``plan(_:_:_:)`` says what to do; ``isPlainlyFresh(_:_:_:_:)`` is the
///   short way for most.
/// - An answer comes: ``store(_:to:asked:received:ignoredVary:_:)``, ``freshened(_:by:asked:received:)``,
///   ``updated(_:byHead:asked:received:)`` and ``continues(_:by:from:asked:received:)`` before its body comes,
///   ``settled(_:)`` after; ``succession(of:by:)``, ``supersedes(_:_:to:_:)`` and ``invalidated(by:to:)`` say what becomes
///   of what was there.
/// - An answer goes out: ``form(for:of:)``, ``response(_:as:now:)``, ``bytes(of:in:)``, ``cacheStatus(_:)``.
package enum HTTPRules {}
