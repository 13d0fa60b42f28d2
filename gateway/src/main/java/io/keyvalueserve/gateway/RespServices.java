package io.keyvalueserve.gateway;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.gateway.command.ServerFacts;
import io.keyvalueserve.tenancy.policy.TenantPolicy;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What a {@link RespServer} needs of the member it is part of.
 *
 * @param engine keeps the data
 * @param policy what every door asks
 * @param facts what the member says of itself; asked each time, on an event loop
 * @param clock the time, the same as the engine's
 */
public record RespServices(
    Engine engine, TenantPolicy policy, Supplier<ServerFacts> facts, InstantSource clock) {}
