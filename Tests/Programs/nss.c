// A client on NSPR, and for HTTPS on NSS, by each of the functions with which it sends and receives. It trusts any server.
//
// usage: nss http://HOST:PORT|https://HOST:PORT
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As of prio.h, prnetdb.h, nss.h and ssl.h; so that it needs the libraries alone.
typedef struct PRFileDesc PRFileDesc;
typedef struct { uint8_t bytes[128]; } PRNetAddr;
typedef struct { const char *bytes; int count; } PRIOVec;
typedef struct {
    PRFileDesc *file;
    uint32_t offset;
    size_t count;
    const void *head;
    int32_t head_count;
    const void *tail;
    int32_t tail_count;
} PRSendFileData;
enum { LOOPBACK = 2, READ_ONLY = 1, PEEK = 2, KEEP_OPEN = 0 };
#define FOREVER 0xffffffffu
PRFileDesc *PR_NewTCPSocket(void), *PR_Open(const char *, int, int), *SSL_ImportFD(PRFileDesc *, PRFileDesc *);
int PR_InitializeNetAddr(int, uint16_t, PRNetAddr *), PR_Connect(PRFileDesc *, const PRNetAddr *, uint32_t);
int PR_Close(PRFileDesc *), PR_GetError(void), NSS_NoDB_Init(const char *), NSS_SetDomesticPolicy(void);
int SSL_SetURL(PRFileDesc *, const char *), SSL_ResetHandshake(PRFileDesc *, int);
int SSL_AuthCertificateHook(PRFileDesc *, int (*)(void *, PRFileDesc *, int, int), void *);
int32_t PR_Read(PRFileDesc *, void *, int32_t), PR_Write(PRFileDesc *, const void *, int32_t);
int32_t PR_Recv(PRFileDesc *, void *, int32_t, int, uint32_t), PR_Send(PRFileDesc *, const void *, int32_t, int, uint32_t);
int32_t PR_Writev(PRFileDesc *, const PRIOVec *, int32_t, uint32_t);
int32_t PR_SendFile(PRFileDesc *, PRSendFileData *, int, uint32_t);

static const char *host;
static unsigned port;
static bool is_secure;

static void check(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "nss: %s: error %d\n", what, PR_GetError());
    exit(1);
}

static int trust(void *context, PRFileDesc *file, int checks, int is_server) {
    (void)context, (void)file, (void)checks, (void)is_server;
    return 0;
}

static PRFileDesc *open_connection(void) {
    PRNetAddr address;
    PRFileDesc *file = PR_NewTCPSocket();
    check(file && PR_InitializeNetAddr(LOOPBACK, (uint16_t)port, &address) == 0, "PR_NewTCPSocket");
    if (is_secure) {
        check((file = SSL_ImportFD(NULL, file)) && SSL_AuthCertificateHook(file, trust, NULL) == 0, "SSL_ImportFD");
        check(SSL_SetURL(file, host) == 0, "SSL_SetURL");
    }
    check(PR_Connect(file, &address, FOREVER) == 0, "PR_Connect");
    if (is_secure) check(SSL_ResetHandshake(file, 0) == 0, "SSL_ResetHandshake");
    return file;
}

static int head_of(char *text, size_t room, const char *method, const char *path, size_t content) {
    return snprintf(
        text, room, "%s %s HTTP/1.1\r\nHost: %s:%u\r\nContent-Length: %zu\r\n\r\n", method, path, host, port, content);
}

/// Reads one response, whose head comes in one piece, up to its end, or up to the connection's if it has no length.
static void finish(PRFileDesc *file, const char *what, bool peeks) {
    static char bytes[400000];
    int32_t count = 0, more = 1, wanted = sizeof bytes - 1;
    while (count < wanted && more > 0) {
        // What is only looked at comes again.
        if (peeks) check(PR_Recv(file, bytes + count, 100, PEEK, FOREVER) >= 0, "PR_Recv");
        more = peeks ? PR_Recv(file, bytes + count, wanted - count, 0, FOREVER) : PR_Read(file, bytes + count, wanted - count);
        check(more >= 0, "reading");
        count += more;
        bytes[count] = 0;
        char *end = strstr(bytes, "\r\n\r\n"), *length = strstr(bytes, "Content-Length: ");
        if (end && (length || !strncmp(bytes + 9, "204", 3))) {
            wanted = (int32_t)(end + 4 - bytes) + (length ? atoi(length + 16) : 0);
        }
    }
    printf("%s %.3s %d\n", what, bytes + 9, (int)count);
}

static void ask_alone(const char *path) {
    PRFileDesc *file = open_connection();
    char head[500];
    int count = head_of(head, sizeof head, "GET", path, 0);
    check(PR_Write(file, head, count) == count, "PR_Write");
    finish(file, path, false);
    check(PR_Close(file) == 0, "PR_Close");
}

int main(int count_of_words, char **words) {
    static char content[200000], name[200];
    if (count_of_words != 2) return 64;
    is_secure = strncmp(words[1], "https:", 6) == 0;
    if (sscanf(strstr(words[1], "//") + 2, "%199[^:]:%u", name, &port) != 2) return 64;
    host = name;
    if (is_secure) check(NSS_NoDB_Init(NULL) == 0 && NSS_SetDomesticPolicy() == 0, "NSS_NoDB_Init");
    memset(content, 'x', sizeof content);
    char head[500];
    PRFileDesc *file = open_connection();
    int count = head_of(head, sizeof head, "GET", "/length", 0);
    check(PR_Write(file, head, count) == count, "PR_Write");
    finish(file, "written", false);
    count = head_of(head, sizeof head, "POST", "/echo", 5000);
    PRIOVec pieces[] = {{head, 10}, {head + 10, count - 10}, {content, 2000}, {content, 0}, {content, 3000}};
    check(PR_Writev(file, pieces, 5, FOREVER) == count + 5000, "PR_Writev");
    finish(file, "in pieces", true);
    count = head_of(head, sizeof head, "PUT", "/echo", sizeof content);
    check(PR_Send(file, head, count, 0, FOREVER) == count, "PR_Send");
    for (int32_t sent = 0, more; sent < (int32_t)sizeof content; sent += more) {
        more = PR_Send(file, content + sent, (int32_t)sizeof content - sent, 0, FOREVER);
        check(more > 0, "PR_Send");
    }
    finish(file, "sent", false);
    PRFileDesc *source = PR_Open(words[0], READ_ONLY, 0);
    check(source, "PR_Open");
    count = head_of(head, sizeof head, "POST", "/echo", 10003);
    PRSendFileData data = {source, 100, 10000, head, count, "end", 3};
    check(PR_SendFile(file, &data, KEEP_OPEN, FOREVER) == count + 10003, "PR_SendFile");
    finish(file, "of a file", false);
    check(PR_Close(source) == 0, "PR_Close");
    count = head_of(head, sizeof head, "GET", "/none", 0);
    check(PR_Write(file, head, count) == count, "PR_Write");
    finish(file, "without content", false);
    count = head_of(head, sizeof head, "GET", "/large", 0);
    check(PR_Write(file, head, count) == count, "PR_Write");
    finish(file, "large", true);
    check(PR_Close(file) == 0, "PR_Close");
    // The same descriptor, and perhaps the same memory, for another connection.
    ask_alone("/close");
    ask_alone("/length");
    return 0;
}
