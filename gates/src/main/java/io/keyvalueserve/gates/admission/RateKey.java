package io.keyvalueserve.gates.admission;

/**
 * The key of one limit.
 *
 * @param tenant the tenant's number
 * @param resource what of it is limited
 */
public record RateKey(int tenant, Resource resource) {}
