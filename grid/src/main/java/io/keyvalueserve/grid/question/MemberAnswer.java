package io.keyvalueserve.grid.question;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a member to a question.
 *
 * @param member its address
 * @param text the answer; null if it gave none in time
 */
public record MemberAnswer(String member, @Nullable String text) {}
