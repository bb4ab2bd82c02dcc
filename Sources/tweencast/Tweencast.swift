@main
struct Tweencast {
    static func main() {}
}
