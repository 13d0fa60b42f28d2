package io.keyvalueserve.sql;

import java.time.Instant;

/**
 * A statement that runs.
 *
 * @param id random, for {@link SqlService#kill}
 * @param tenant the tenant's name
 * @param tenantNumber the tenant's number
 * @param door its label
 * @param client where it comes from
 * @param sql its text; literals stand in it
 * @param examined entries looked at so far
 * @param returned rows returned so far
 * @param heldBytes heap that it takes now
 */
public record RunningStatement(
    String id,
    String tenant,
    int tenantNumber,
    String door,
    String client,
    String sql,
    Instant started,
    long examined,
    long returned,
    long heldBytes) {}
