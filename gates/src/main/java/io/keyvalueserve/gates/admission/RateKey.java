package io.keyvalueserve.gates.admission;

/**
 * What one limit is set for.
 *
 * @param tenant the tenant's number
 * @param resource what of it is limited
 */
public record RateKey(int tenant, Resource resource) {}
