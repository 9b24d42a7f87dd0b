import ConfigServer

@main enum Main { static func main() {} }
