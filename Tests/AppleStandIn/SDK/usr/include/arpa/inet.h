// Libinfo and Libc: arpa/inet.h; xnu: bsd/sys/_endian.h
#pragma once
#include <netinet/in.h>

uint16_t htons(uint16_t value);
uint32_t htonl(uint32_t value);
uint16_t ntohs(uint16_t value);
uint32_t ntohl(uint32_t value);
const char *inet_ntop(int family, const void *address, char *text, socklen_t size);
int inet_pton(int family, const char *text, void *address);
