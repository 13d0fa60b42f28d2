package io.keyvalueserve.tenancy;

/**
 * The data stored for an access key so that a client can prove with SCRAM-SHA-256 (RFC 5802, RFC
 * 7677) that it has the key, without sending it. The key cannot be computed from it.
 *
 * @param storedKey 32 bytes in Base64
 * @param serverKey 32 bytes in Base64
 */
public record ScramVerifier(String storedKey, String serverKey) {}
