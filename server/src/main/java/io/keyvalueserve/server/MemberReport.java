package io.keyvalueserve.server;

import io.keyvalueserve.grid.MemberInfo;
import org.jspecify.annotations.Nullable;

/**
 * A member and what it said of itself.
 *
 * @param partitions how many it owns
 * @param figures null if it gave no answer
 */
public record MemberReport(MemberInfo member, int partitions, @Nullable MemberFigures figures) {}
