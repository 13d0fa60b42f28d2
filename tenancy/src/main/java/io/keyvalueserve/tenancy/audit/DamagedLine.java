package io.keyvalueserve.tenancy.audit;

/**
 * A line of an audit trail that was skipped.
 *
 * @param file the segment's name
 * @param number the line's number in it, 1 for the first
 * @param reason what is the matter with it
 */
public record DamagedLine(String file, long number, String reason) {}
