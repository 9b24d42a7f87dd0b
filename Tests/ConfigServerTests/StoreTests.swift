import ConfigServer
import Testing
