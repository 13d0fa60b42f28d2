package io.keyvalueserve.resp;

import io.keyvalueserve.engine.MapEngine;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Locale;

/**
 * A door on one event loop over an engine that costs next to nothing, to be measured from outside,
 * say with {@code redis-benchmark}, beside Redis. Run as a program: the argument is the transport;
 * it prints its port and serves until it is killed.
 */
final class DoorBench {
  private DoorBench() {}

  @SuppressWarnings("SystemOut") // a program that prints its result
  public static void main(String[] arguments) throws IOException, InterruptedException {
    RespServerConfig.TransportPreference transport =
        RespServerConfig.TransportPreference.valueOf(arguments[0].toUpperCase(Locale.ROOT));
    try (TestMember member =
        TestMember.startDev(
            new FlatEngine(new MapEngine(InstantSource.system())),
            config -> config.withTransport(transport).withEventLoops(1))) {
      System.out.println("port " + member.port() + " transport " + member.server().transport());
      Thread.currentThread().join();
    }
  }
}
