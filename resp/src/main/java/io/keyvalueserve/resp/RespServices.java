package io.keyvalueserve.resp;

import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.ScriptStore;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.resp.command.ServerFacts;
import java.time.InstantSource;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The services that a {@link RespServer} needs of its member.
 *
 * @param engine keeps the data
 * @param policy what every door asks
 * @param facts what the member says of itself; asked each time, on an event loop
 * @param clock the time, the same as the engine's
 * @param scripts keeps scripts that tenants have loaded
 * @param rates the prices that hold; does not block
 * @param weights the weight of a tenant, by its number, where tenants compete: 1 to 1000; asked
 *     often, on event loops
 * @param slicing how the time of an event loop is cut then
 * @param nanoTime what requests are timed with: nanoseconds since any moment
 */
public record RespServices(
    Engine engine,
    TenantPolicy policy,
    Supplier<ServerFacts> facts,
    InstantSource clock,
    ScriptStore scripts,
    Supplier<RateCards> rates,
    IntUnaryOperator weights,
    Slicing slicing,
    LongSupplier nanoTime) {

  /** Creates services with the default slicing and {@link System#nanoTime}. */
  public RespServices(
      Engine engine,
      TenantPolicy policy,
      Supplier<ServerFacts> facts,
      InstantSource clock,
      ScriptStore scripts,
      Supplier<RateCards> rates,
      IntUnaryOperator weights) {
    this(engine, policy, facts, clock, scripts, rates, weights, Slicing.DEFAULT, System::nanoTime);
  }
}
