// UIKit, for packages that import it in function bodies alone, which are left out.
// swift-format-ignore-file
@_exported import Foundation
