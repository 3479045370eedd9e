@main
struct LarderTool {
    static func main() async {
    }
}
