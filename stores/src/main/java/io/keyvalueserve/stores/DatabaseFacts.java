package io.keyvalueserve.stores;

/**
 * Facts about a database that answers.
 *
 * @param product its name, as "PostgreSQL"
 * @param version its version, as it says it
 * @param millis how long it took to connect and to ask, in milliseconds
 */
public record DatabaseFacts(String product, String version, long millis) {}
