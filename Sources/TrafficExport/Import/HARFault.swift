package import TrafficReports

/// Why a HAR cannot be read, and where.
package typealias HARFault = JSONFault
