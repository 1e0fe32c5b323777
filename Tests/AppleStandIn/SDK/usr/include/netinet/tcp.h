// xnu: bsd/netinet/tcp.h
#pragma once

#define TCP_NODELAY 0x01
#define TCP_MAXSEG 0x02
#define TCP_CONNECTION_INFO 0x106
