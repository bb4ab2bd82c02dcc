// Benchmarks of the frame path.

@main
struct Bench {
    static func main() {}
}
