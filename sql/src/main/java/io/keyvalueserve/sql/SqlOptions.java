package io.keyvalueserve.sql;

import java.time.Duration;
import java.time.ZoneId;

/**
 * How a session works.
 *
 * @param timeout of each statement; {@link Duration#ZERO} for the member's own limit
 * @param zone of {@code CURRENT_TIMESTAMP} and of casts between timestamps
 * @param client where the statements come from, for people who look at running statements
 */
public record SqlOptions(Duration timeout, ZoneId zone, String client) {}
