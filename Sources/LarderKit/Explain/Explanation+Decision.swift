extension Explanation {
    /// What a read does.
    public enum Decision: Sendable, Hashable {
        /// Shows what is stored, and asks nobody.
        case show(ReadingReason)
        /// The same, since the origin is left alone for now.
        case showInstead(FetchFailure)
        /// Shows what is stored, and asks behind it.
        case showAndAsk
        /// Asks, and shows what is stored when the request fails or takes longer than the patience.
        case ask(patience: Duration, presumedOffline: Bool)
        /// Asks, and waits to the end, since nothing else can be shown.
        case wait(Lack)
        /// Shows nothing and asks nobody, since the server wants to be left alone.
        case refuse(FetchFailure)
        /// Shows nothing and asks nobody, since the policy never does.
        case fail(Lack)

        /// One word for programs.
        public var name: String {
            switch self {
            case .show: "show"
            case .showInstead: "showInstead"
            case .showAndAsk: "showAndAsk"
            case .ask: "ask"
            case .wait: "wait"
            case .refuse: "refuse"
            case .fail: "fail"
            }
        }

        /// Whether the server is asked.
        public var asks: Bool {
            switch self {
            case .showAndAsk, .ask, .wait: true
            case .show, .showInstead, .refuse, .fail: false
            }
        }
    }

    /// Why nothing that is stored can be shown.
    public enum Lack: String, Sendable, Hashable {
        case nothingStored
        /// It has been stale for longer than it may be to stand in for an answer.
        case tooStale
        /// It cannot be read from the disk.
        case unreadable
        /// It cannot be decoded.
        case undecodable
        /// The policy shows nothing but what the network gives.
        case policy
    }
}

extension Explanation.Decision {
    /// What a plan comes to.
    ///
    /// - Parameter isStored: Something is stored, be it too old to be shown.
    init(_ plan: Plan, policy: ReadPolicy, isStored: Bool) {
        switch plan {
        case .serve(_, let failure?):
            self = .showInstead(failure)
        case .serve(let reason, nil):
            self = .show(reason)
        case .serveAndFetch:
            self = .showAndAsk
        case .fetch(let patience?, .stored, let impatience):
            self = .ask(patience: patience, presumedOffline: impatience == .presumedOffline)
        case .fetch:
            self = .wait(policy.kind == .networkOnly ? .policy : isStored ? .tooStale : .nothingStored)
        case .refuse(let failure):
            self = .refuse(failure)
        case .notStored:
            self = .fail(.nothingStored)
        }
    }

    /// What becomes of the decision when what is stored turns out to be of no use.
    func lacking(_ lack: Explanation.Lack?, policy: ReadPolicy) -> Explanation.Decision {
        switch (lack, self) {
        case (.undecodable?, .show), (.undecodable?, .showInstead), (.undecodable?, .showAndAsk), (.undecodable?, .ask),
            (.unreadable?, _):
            .without(lack ?? .unreadable, policy: policy)
        default: self
        }
    }

    /// What a read does when nothing that is stored can be used.
    static func without(_ lack: Explanation.Lack, policy: ReadPolicy) -> Explanation.Decision {
        switch policy.kind {
        case .cacheOnly: .fail(lack)
        case .networkOnly: .wait(.policy)
        case .cacheFirst, .networkFirst, .staleWhileRevalidate: .wait(lack)
        }
    }
}

extension Explanation {
    /// The decision as a sentence without its subject, which is the read.
    public var sentence: String {
        guard decision.asks else { return decision.words }
        return switch network.underWay {
        case .nobody, .unknown: decision.words
        case .thisProcess: "\(decision.words); it joins the request under way"
        case .anotherProcess: "\(decision.words); it waits for the request of another process"
        }
    }
}

extension Explanation.Decision {
    fileprivate var words: String {
        switch self {
        case .show(.fresh): "shows what is stored, which is fresh, and asks nobody"
        case .show(.nothingToAsk):
            "shows what is stored: there is nothing to ask the server with for more, until the head has been asked for again"
        case .show: "shows what is stored, however old, and asks nobody"
        case .showInstead(let failure):
            "shows what is stored and asks nobody: the server is left alone\(failure.pause) (\(failure))"
        case .showAndAsk: "shows what is stored, and asks behind it"
        case .ask(_, presumedOffline: true):
            "asks, and shows what is stored without waiting, since the network seems to be gone"
        case .ask(.zero, _): "asks, and shows what is stored without waiting"
        case .ask(let patience, _):
            "asks, and shows what is stored if that fails or takes longer than \(patience.inWords)"
        case .wait(let lack): "asks, and waits for the answer: \(lack.words)"
        case .refuse(let failure):
            "shows nothing and asks nobody: the server wants to be left alone\(failure.pause) (\(failure))"
        case .fail(let lack): "shows nothing: \(lack.words), and the policy never asks"
        }
    }
}

extension Explanation.Lack {
    fileprivate var words: String {
        switch self {
        case .nothingStored: "nothing is stored"
        case .tooStale: "what is stored has been stale for too long to be shown instead"
        case .unreadable: "what is stored cannot be read"
        case .undecodable: "what is stored cannot be decoded"
        case .policy: "the policy shows nothing else"
        }
    }
}

extension FetchFailure {
    fileprivate var pause: String { retryAfter.map { " for \($0.inWords) more" } ?? "" }
}
