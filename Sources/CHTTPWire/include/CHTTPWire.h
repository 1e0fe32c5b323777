// The part of HTTPWire that also runs where there is no Swift runtime: inside a program that knows nothing of us.
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
