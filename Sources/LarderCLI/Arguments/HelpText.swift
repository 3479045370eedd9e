/// Help as text, made from declarations: one place where its form is decided.
struct HelpText {
    let tool: String
    /// Lines are broken so that none is longer, where words allow.
    var width = 80

    /// The help of one command.
    func page(for spec: CommandSpec) -> String {
        var sections = [spec.summary + ".", "Usage: " + synopsis(of: spec)]
        if !spec.details.isEmpty {
            sections += spec.details.split(separator: "\n\n").map { wrapped(String($0), indent: 0) }
        }
        if !spec.positionals.isEmpty {
            sections.append(table("Arguments:", spec.positionals.map { ($0.name, $0.help) }))
        }
        sections += spec.guides.map { table($0.title, $0.rows.map { ($0.name, $0.meaning) }) }
        let help = Option.flag("help", short: "h", help: "show this help")
        let grouped = Set(spec.groups.flatMap(\.options))
        let others = CommandSpec.OptionGroup("Options:", spec.options.filter { !grouped.contains($0) } + [help])
        sections += ([others] + spec.groups).map { group in
            table(group.title, group.options.map { (label(of: $0), description(of: $0)) })
        }
        sections += spec.tables.map { table($0.title, $0.rows.map { ($0.name, $0.meaning) }) }
        // Few and short; the others stand in the overview alone.
        if spec.exitCodes == .keeping {
            sections.append(table("Exit codes:", spec.exitCodes.meanings.map { ($0.number, $0.meaning) }))
        }
        if !spec.examples.isEmpty {
            let examples = spec.examples.map { "  # \($0.purpose)\n  \(tool) \($0.arguments)" }
            sections.append((["Examples:"] + examples).joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// The help of the tool itself.
    func overview(of commands: [CommandSpec], about: String) -> String {
        let first = commands.first?.name ?? "COMMAND"
        var sections = [
            wrapped(about, indent: 0),
            "Usage: \(tool) COMMAND [OPTIONS]",
            table("Commands:", commands.map { ($0.name, $0.summary) }),
            table("Options:", [("-h, --help", "show this help"), ("    --version", "show the version")]),
        ]
        sections += ExitCodeFamily.allCases.compactMap { exitCodes($0, of: commands) }
        sections.append("'\(tool) help COMMAND' says more about one of them, for instance '\(tool) help \(first)'.")
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// The exit codes of the commands that have them in common.
    private func exitCodes(_ family: ExitCodeFamily, of commands: [CommandSpec]) -> String? {
        let names = commands.filter { $0.exitCodes == family }.map(\.name)
        guard let last = names.last else { return nil }
        let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
        return table(wrapped("Exit codes of \(list):", indent: 0), family.meanings.map { ($0.number, $0.meaning) })
    }

    private func synopsis(of spec: CommandSpec) -> String {
        // So many that they stand in groups say nothing in one row.
        let options =
            !spec.groups.isEmpty
            ? ["[OPTIONS]"]
            : spec.options.map { option in
                switch option.arity {
                case .flag: "[\(option.spelling)]"
                case .value: "[\(option.spelling) \(option.placeholder)]"
                case .repeated: "[\(option.spelling) \(option.placeholder)]..."
                }
            }
        let words = [tool, spec.name] + options + spec.positionals.map(\.synopsis)
        return wrapped(words.map { $0.replacing(" ", with: "\u{A0}") }, first: 7, indent: 9)
            .replacing("\u{A0}", with: " ")
    }

    private func label(of option: Option) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        return short + option.spelling + (option.placeholder.isEmpty ? "" : " \(option.placeholder)")
    }

    private func description(of option: Option) -> String {
        switch (option.fallback, option.arity) {
        case (let fallback?, _): "\(option.help) (default: \(fallback))"
        case (nil, .repeated): "\(option.help) (may be repeated)"
        case (nil, _): option.help
        }
    }

    /// Two columns: labels, and what they mean beside them, or below those that are too long.
    private func table(_ title: String, _ rows: [(label: String, text: String)]) -> String {
        let column = min(rows.map(\.label.count).max() ?? 0, 24)
        let lines = rows.map { label, text in
            let words = text.split(separator: " ").map(String.init)
            let body = wrapped(words, first: column + 4, indent: column + 4)
            guard label.count <= column else { return "  \(label)\n\(spaces(column + 4))\(body)" }
            return "  \(label)\(spaces(column - label.count + 2))\(body)"
        }
        return ([title] + lines).joined(separator: "\n")
    }

    private func wrapped(_ text: String, indent: Int) -> String {
        wrapped(text.split(whereSeparator: \.isWhitespace).map(String.init), first: indent, indent: indent)
    }

    /// `words` in lines; the first begins behind `first` columns that are filled already, the others behind a margin.
    private func wrapped(_ words: [String], first: Int, indent: Int) -> String {
        var text = ""
        var column = first
        for word in words {
            if text.isEmpty {
                text = word
            } else if column + 1 + word.count <= width {
                text += " " + word
                column += 1
            } else {
                text += "\n" + spaces(indent) + word
                column = indent
            }
            column += word.count
        }
        return text
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
