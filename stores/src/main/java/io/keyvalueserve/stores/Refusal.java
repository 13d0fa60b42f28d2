package io.keyvalueserve.stores;

/**
 * A change that the database will never take.
 *
 * @param change the change as it was given
 * @param message the reason for a person, with the SQLSTATE if the database gave one, and without
 *     values of the row
 */
public record Refusal(Change change, String message) {}
