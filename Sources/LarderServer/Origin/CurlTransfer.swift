import CCurl
import Foundation
import LarderHTTPCache
import LarderKit

/// One request under way: its handle, and how far the answer has come.
///
/// Made, used and released on the loop's thread only; libcurl's callbacks run there too.
final class CurlTransfer {
    let id: Int
    let easy: UnsafeMutableRawPointer
    let request: CurlRequest
    let sink: any CurlSink
    let upload: RequestBodyFeed?
    var headerList: UnsafeMutablePointer<curl_slist>?

    private let timer: CurlTimer
    /// When to give up, if nothing happens before.
    private(set) var deadline: ContinuousClock.Instant? {
        didSet { if let deadline { timer.note(deadline) } }
    }

    private var head: AnswerHead
    private var framing: AnswerFraming?
    private var chunks = AnswerChunkDecoder()
    private var received = 0
    /// The sink has no room.
    private var isHeldBack = false
    /// There is nothing to send, though there is more to come.
    private var isStarved = false
    /// How it ended, where that was decided here and not by libcurl.
    private var ending: Result<Void, FetchFailure>?

    /// `nil` when memory is short.
    init?(_ request: CurlRequest, id: Int, sink: any CurlSink, timer: CurlTimer, onNews: @escaping @Sendable () -> Void)
    {
        guard let easy = larder_curl_easy_init() else { return nil }
        self.id = id
        self.easy = easy
        self.request = request
        self.sink = sink
        self.timer = timer
        upload = request.body.map { RequestBodyFeed($0, onNews: onNews) }
        head = AnswerHead(answering: request.method)
        setUp()
        restartClock()
    }

    deinit {
        larder_curl_easy_cleanup(easy)
        larder_curl_slist_free_all(headerList)
    }

    /// The origin is given time again, all of it, and is not blamed while it waits for this side.
    private func restartClock() {
        let time = framing == nil ? request.timeouts.head : request.timeouts.stall
        deadline = isHeldBack || isStarved ? nil : time.map { .now + $0 }
    }

    /// The sink has room again.
    func hasRoom() {
        isHeldBack = false
    }

    /// Goes on after there was no room for the answer, or nothing to send. Tells how it ended, if that ends it.
    func resume() -> Result<Void, FetchFailure>? {
        isStarved = false
        restartClock()
        let code = larder_curl_easy_pause(easy, CURLPAUSE_CONT)
        return code == CURLE_OK ? ending : result(code)
    }

    // MARK: What libcurl delivers. `false` ends the transfer.

    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        switch head.take(line) {
        case nil: return true
        case .malformed(let explanation):
            return end(.failure(FetchFailure(.wrongAnswer, "the answer is malformed: \(explanation)")))
        case .interim(let head):
            sink.takeInterim(head)
            return true
        case .final(let head, let framing):
            self.framing = framing
            sink.takeHead(head)
            restartClock()
            return goesOn
        }
    }

    /// How many bytes were taken, or ``pause``.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isHeldBack { return Self.pause }
        guard ending == nil, let framing, framing != .none else { return bytes.count }
        let data: Data
        if framing == .chunked, !request.decodesBody {
            do throws(AnswerChunkDecoder.Fault) {
                data = try chunks.take(bytes)
            } catch {
                _ = end(.failure(FetchFailure(.wrongAnswer, "a chunk of the body is malformed")))
                return 0
            }
        } else {
            data = Data(bytes)
        }
        received += bytes.count
        restartClock()
        switch data.isEmpty ? .goOn : sink.takeBody(data) {
        case .goOn: break
        case .full:
            isHeldBack = true
            restartClock()
        case .abandoned:
            _ = end(.failure(.stopped))
            return 0
        }
        return goesOn ? bytes.count : 0
    }

    /// How many bytes of the request's body were put into `buffer`, or ``pause``, or ``abort``.
    func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch upload?.read(into: buffer) {
        case .bytes(let count):
            restartClock()
            return count
        case .wait:
            isStarved = true
            restartClock()
            return Self.pause
        case .end, nil: return 0
        case .broken(let failure):
            _ = end(.failure(failure))
            return Self.abort
        }
    }

    /// Whether there is more to do. An answer that is whole before the request is ends both.
    private var goesOn: Bool {
        guard let upload, !upload.isDone, isWhole else { return true }
        return end(.success(()))
    }

    private var isWhole: Bool {
        switch framing {
        case .none?: true
        case .length(let length): received >= length && !request.decodesBody
        case .chunked: chunks.isDone
        case .toTheEnd, nil: false
        }
    }

    private func end(_ result: Result<Void, FetchFailure>) -> Bool {
        ending = ending ?? result
        return false
    }

    /// What came of it, when libcurl is done with it.
    func result(_ code: CURLcode) -> Result<Void, FetchFailure> {
        if let ending { return ending }
        if let failure = FetchFailure(code) { return .failure(failure) }
        guard let framing else { return .failure(FetchFailure(.wrongAnswer, "the answer has no head")) }
        if framing == .chunked, !request.decodesBody, !chunks.isDone {
            return .failure(FetchFailure(.wrongAnswer, "the body ended before its time"))
        }
        return .success(())
    }

    /// `CURL_WRITEFUNC_PAUSE` and `CURL_READFUNC_PAUSE`.
    static let pause = 0x1000_0001
    /// `CURL_READFUNC_ABORT`.
    static let abort = 0x1000_0000
}

/// When the loop has to look for transfers whose time is over, at the latest. Used on the loop's thread only.
final class CurlTimer {
    private(set) var next: ContinuousClock.Instant?

    func note(_ deadline: ContinuousClock.Instant) {
        next = next.map { min($0, deadline) } ?? deadline
    }

    func clear() {
        next = nil
    }
}
