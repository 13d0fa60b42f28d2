package io.keyvalueserve.server.http;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.gates.policy.TenantPolicy;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The services that the HTTP door needs to serve entries.
 *
 * @param engine keeps the data
 * @param policy what every door asks
 * @param clock the time, the same as the engine's
 * @param mostValueBytes the longest value that a request may bring, 1 or more
 * @param nanoTime what requests are timed with: nanoseconds since any moment
 */
public record EntryServices(
    Engine engine,
    TenantPolicy policy,
    InstantSource clock,
    int mostValueBytes,
    LongSupplier nanoTime) {}
