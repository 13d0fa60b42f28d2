package io.keyvalueserve.tenancy;

/**
 * The result of an attempt to authenticate with SCRAM-SHA-256.
 *
 * @param authentication whether the client is let in
 * @param signature the signature by which the server proves that it knows the key too; empty if the
 *     client is not let in
 */
public record ScramAnswer(Authentication authentication, byte[] signature) {}
