#define OPENSSL_SUPPRESS_DEPRECATED
#include "proxy_tls.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <unistd.h>

enum { second_of_a_day = 24 * 60 * 60 };

/// Of the older kind: the public key of one from `EVP_EC_gen` is encoded and decoded for each certificate that has it, which
/// takes longer than all else (OpenSSL 3.0).
EVP_PKEY *wwp_new_key(void) {
    EC_KEY *made = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    EVP_PKEY *key = EVP_PKEY_new();
    bool is_made = made && key && EC_KEY_generate_key(made) == 1 && EVP_PKEY_set1_EC_KEY(key, made) == 1;
    EC_KEY_free(made);
    if (is_made) return key;
    EVP_PKEY_free(key);
    return NULL;
}

/// A number that no other certificate has: 64 bits at least must be random, and none is negative.
static bool set_serial(X509 *certificate) {
    unsigned char bytes[16];
    if (RAND_bytes(bytes, sizeof bytes) != 1) return false;
    bytes[0] = (bytes[0] & 0x7F) | 0x40;
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
    bool is_set = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return is_set;
}

static bool set_name(X509_NAME *name, int kind, const char *text) {
    return X509_NAME_add_entry_by_NID(name, kind, MBSTRING_UTF8, (const unsigned char *)text, -1, -1, 0) == 1;
}

static bool add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    bool is_added = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return is_added;
}

/// What both kinds of certificate have. Clocks of devices differ: they begin a day ago.
static X509 *begin(EVP_PKEY *key, int days) {
    X509 *certificate = X509_new();
    if (!certificate) return NULL;
    bool is_begun = X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate)
        && X509_gmtime_adj(X509_getm_notBefore(certificate), -second_of_a_day)
        && X509_time_adj_ex(X509_getm_notAfter(certificate), days, 0, NULL)
        && X509_set_pubkey(certificate, key) == 1;
    if (is_begun) return certificate;
    X509_free(certificate);
    return NULL;
}

X509 *wwp_new_authority(EVP_PKEY *key, const char *name, int days) {
    X509 *certificate = begin(key, days);
    if (!certificate) return NULL;
    X509_NAME *subject = X509_get_subject_name(certificate);
    bool is_made = set_name(subject, NID_organizationName, "Wireweight") && set_name(subject, NID_commonName, name)
        && X509_set_issuer_name(certificate, subject) == 1
        && add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        && add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign")
        && add_extension(certificate, certificate, NID_ext_key_usage, "serverAuth")
        && add_extension(certificate, certificate, NID_subject_key_identifier, "hash")
        && X509_sign(certificate, key, EVP_sha256()) > 0;
    if (is_made) return certificate;
    X509_free(certificate);
    return NULL;
}

/// The host as the one alternative name: built, not written as text in which a comma would begin another.
static bool add_host(X509 *certificate, const char *host, const uint8_t *address, size_t address_count) {
    bool is_address = address_count == 4 || address_count == 16;
    GENERAL_NAMES *names = GENERAL_NAMES_new();
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_STRING *value = is_address ? ASN1_OCTET_STRING_new() : ASN1_IA5STRING_new();
    bool is_added = names && name && value
        && (is_address ? ASN1_STRING_set(value, address, (int)address_count) : ASN1_STRING_set(value, host, -1)) == 1;
    if (is_added) {
        GENERAL_NAME_set0_value(name, is_address ? GEN_IPADD : GEN_DNS, value);
        value = NULL;
        is_added = sk_GENERAL_NAME_push(names, name) > 0;
        if (is_added) name = NULL;
        // Critical where there is no subject (RFC 5280, section 4.2.1.6).
        is_added = is_added && X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 1, 0) == 1;
    }
    ASN1_STRING_free(value);
    GENERAL_NAME_free(name);
    GENERAL_NAMES_free(names);
    return is_added;
}

X509 *wwp_new_leaf(
    EVP_PKEY *leaf_key, X509 *authority, EVP_PKEY *authority_key, const char *host, const uint8_t *address,
    size_t address_count, int days) {
    X509 *certificate = begin(leaf_key, days);
    if (!certificate) return NULL;
    bool is_made = X509_set_issuer_name(certificate, X509_get_subject_name(authority)) == 1
        && add_host(certificate, host, address, address_count)
        && add_extension(certificate, authority, NID_basic_constraints, "critical,CA:FALSE")
        && add_extension(certificate, authority, NID_key_usage, "critical,digitalSignature")
        && add_extension(certificate, authority, NID_ext_key_usage, "serverAuth")
        && add_extension(certificate, authority, NID_authority_key_identifier, "keyid")
        && X509_sign(certificate, authority_key, EVP_sha256()) > 0;
    if (is_made) return certificate;
    X509_free(certificate);
    return NULL;
}

int64_t wwp_seconds_left(const X509 *certificate) {
    int days = 0, seconds = 0;
    if (ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate)) != 1) return -1;
    return (int64_t)days * second_of_a_day + seconds;
}

bool wwp_write_key(EVP_PKEY *key, const char *path) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return false;
    BIO *file = BIO_new_fd(descriptor, BIO_NOCLOSE);
    bool is_written = file && PEM_write_bio_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1;
    BIO_free(file);
    is_written = fsync(descriptor) == 0 && is_written;
    is_written = close(descriptor) == 0 && is_written;
    if (!is_written) unlink(path);
    return is_written;
}
