package io.keyvalueserve.bench;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.HazelcastInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A server and a client of each of its tenants.
 *
 * @param clients in the order of the tenants
 * @param end ends it
 */
record HitsServer(List<HitsClient> clients, Runnable end) implements AutoCloseable {
  private static final String MAP = "default";

  static HitsServer own(HitsSubject subject, HitsPlan plan, String run) {
    OwnServer server =
        OwnServer.found(
            plan.folder(subject, run),
            JvmOptions.usual(),
            List.of("--memory", plan.memoryMebibytes() + "m"));
    return connected(
        server::close,
        plan,
        tenant -> {
          String name = "tenant-" + tenant;
          String key = server.api().newTenant(name);
          server.api().setOverMemory(name, MAP, subject.policy);
          return new HitsRespClient(server.respPort(), 0, plan.valueBytes, name, key);
        });
  }

  static HitsServer redis(HitsSubject subject, HitsPlan plan, Programs installed, String run) {
    String password = UUID.randomUUID().toString();
    Contender redis =
        Program.REDIS.start(
            plan.folder(subject, run),
            installed.find(Program.REDIS).orElseThrow(),
            List.of(
                "--requirepass",
                password,
                "--databases",
                Integer.toString(plan.tenants()),
                "--maxmemory",
                plan.memoryMebibytes() + "mb",
                "--maxmemory-policy",
                subject.policy),
            RespWire.of(password, plan.valueBytes));
    return connected(
        redis::close,
        plan,
        tenant -> new HitsRespClient(redis.port(), tenant, plan.valueBytes, password));
  }

  static HitsServer stock(HitsSubject subject, HitsPlan plan, String run) {
    StockCluster member =
        StockCluster.evicting(plan.folder(subject, run), subject.policy, plan.memoryMebibytes());
    HazelcastInstance client;
    try {
      client = HazelcastClient.newHazelcastClient(member.login().config());
    } catch (RuntimeException e) {
      member.close();
      throw e;
    }
    return connected(
        () -> {
          client.shutdown();
          member.close();
        },
        plan,
        tenant -> new HitsMapClient(client, MAP, tenant + ":", plan.valueBytes));
  }

  private static HitsServer connected(
      Runnable end, HitsPlan plan, IntFunction<HitsClient> connect) {
    HitsServer server = new HitsServer(new ArrayList<>(), end);
    try {
      IntStream.range(0, plan.tenants()).mapToObj(connect).forEach(server.clients::add);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      clients.forEach(HitsClient::close);
    } finally {
      end.run();
    }
  }
}
