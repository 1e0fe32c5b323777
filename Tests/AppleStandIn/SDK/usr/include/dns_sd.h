// mDNSResponder: mDNSShared/dns_sd.h
#pragma once
#include <stdint.h>

typedef struct _DNSServiceRef_t *DNSServiceRef;
typedef uint32_t DNSServiceFlags;
typedef int32_t DNSServiceErrorType;

enum { kDNSServiceErr_NoError = 0 };

typedef void (*DNSServiceRegisterReply)(
    DNSServiceRef ref, DNSServiceFlags flags, DNSServiceErrorType error, const char *name, const char *type, const char *domain,
    void *context);

DNSServiceErrorType DNSServiceRegister(
    DNSServiceRef *ref, DNSServiceFlags flags, uint32_t interface, const char *name, const char *type, const char *domain,
    const char *host, uint16_t port, uint16_t length, const void *text, DNSServiceRegisterReply reply, void *context);
void DNSServiceRefDeallocate(DNSServiceRef ref);
