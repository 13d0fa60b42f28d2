package io.keyvalueserve.engine;

import io.keyvalueserve.engine.channel.ChannelBus;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.util.concurrent.Executor;

/**
 * An engine whose tenants reach each other's maps as far as they have been granted them. What is a
 * tenant's own goes the same way as before: no check is made where there is nothing to check.
 * Thread-safe.
 */
public final class GrantedEngine implements Engine {
  private final Engine engine;
  private final GrantDirectory grants;

  /**
   * @param engine makes the spaces of single tenants
   */
  public GrantedEngine(Engine engine, GrantDirectory grants) {
    this.engine = engine;
    this.grants = grants;
  }

  @Override
  public TenantSpace space(Identity identity) {
    return space(identity, Runnable::run);
  }

  @Override
  public TenantSpace space(Identity identity, Executor endOfTurn) {
    return new GrantedSpace(engine, identity, grants, endOfTurn);
  }

  @Override
  public ChannelBus channelBus() {
    return engine.channelBus();
  }

  @Override
  public NoticeStore notices() {
    return engine.notices();
  }

  @Override
  public Uncertain uncertain() {
    return engine.uncertain();
  }
}
