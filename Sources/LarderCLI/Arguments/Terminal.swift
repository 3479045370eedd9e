import Foundation

/// What is at the other end of an output stream, and how to write for it.
struct Terminal: Sendable, Hashable {
    let isTerminal: Bool
    /// Colours only for a terminal, and not where NO_COLOR (no-color.org) or TERM=dumb asks for none.
    let hasColour: Bool
    /// Columns; 80 where nobody says.
    let width: Int

    /// What standard output goes to.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    /// What standard error goes to.
    static let error = Terminal(descriptor: STDERR_FILENO)

    init(isTerminal: Bool, columns: Int?, environment: [String: String]) {
        self.isTerminal = isTerminal
        let noColour = environment["NO_COLOR"] ?? ""
        hasColour = isTerminal && noColour.isEmpty && environment["TERM"] != "dumb"
        let stated = environment["COLUMNS"].flatMap { Int($0) }
        width = max(columns ?? stated ?? 80, 20)
    }

    private init(descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        self.init(
            isTerminal: isatty(descriptor) == 1, columns: isKnown ? Int(size.ws_col) : nil,
            environment: ProcessInfo.processInfo.environment)
    }

    enum Style: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    /// `text` in a style, or as it is where colours are not wanted.
    func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
