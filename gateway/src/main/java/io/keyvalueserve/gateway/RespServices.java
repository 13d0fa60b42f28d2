package io.keyvalueserve.gateway;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.gateway.command.ServerFacts;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantMeters;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What a {@link RespServer} needs of the member it is part of.
 *
 * @param engine keeps the data
 * @param authenticator tells who is there
 * @param sessions where open sessions are entered
 * @param meters where use is counted
 * @param facts what the member says of itself; asked each time, on an event loop
 * @param clock the time, the same as the engine's
 */
public record RespServices(
    Engine engine,
    Authenticator authenticator,
    SessionRegistry sessions,
    TenantMeters meters,
    Supplier<ServerFacts> facts,
    InstantSource clock) {}
