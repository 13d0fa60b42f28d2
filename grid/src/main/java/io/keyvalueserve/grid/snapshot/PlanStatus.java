package io.keyvalueserve.grid.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Tells how the snapshots of a plan go.
 *
 * @param coveredMillis until when all changes are archived, in milliseconds since 1970; 0 if they
 *     are not
 * @param problem the last failure that holds still; null if all is well
 */
public record PlanStatus(long coveredMillis, @Nullable String problem) {}
