// The part of HTTPWire that also runs without a Swift runtime: inside programs that were not built with Wireweight.
#ifndef CHTTPWIRE_H
#define CHTTPWIRE_H

#include "body_meter.h"
#include "chunk_scanner.h"
#include "http1_scanner.h"
#include "http2_scanner.h"
#include "upgrade_scanner.h"
#include "websocket_scanner.h"
#include "xxh3.h"

#endif
