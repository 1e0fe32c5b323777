// A C target needs a source file; everything here is inline, for the hot path.
#include "CHTTPWire.h"
