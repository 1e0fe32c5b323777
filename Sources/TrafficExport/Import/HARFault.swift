package import TextFormats

/// Why a HAR cannot be read, with the line.
package typealias HARFault = JSONFault
