package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: in a map that charges writers, each tenant is charged for what it wrote last, on all
 * members together, backups included, while members come and go. Method: random writes and removals
 * by two tenants, at both doors and through several members, beside a model of who wrote what.
 */
class WriterChargedClusterTest {
  private static final QualifiedName MAP =
      new QualifiedName(new TenantName("acme"), new MapName("orders"));
  private static final int COPIES = 2;
  private static final int KEYS = 150;
  private static final int STEPS = 600;

  private final List<DoorMember> members = new ArrayList<>();
  private final List<HazelcastInstance> clients = new ArrayList<>();
  private final Map<String, String> model = new HashMap<>();
  private final Random random = new Random(7);

  private record Maps(IMap<String, String> acme, IMap<String, String> globex) {
    IMap<String, String> of(String tenant) {
      return tenant.equals("acme") ? acme : globex;
    }
  }

  @AfterEach
  void stop() {
    clients.forEach(HazelcastInstance::shutdown);
    members.reversed().forEach(DoorMember::close);
  }

  private void join() {
    List<String> others =
        members.stream().map(member -> "127.0.0.1:" + member.member.memberPort()).toList();
    DoorMember member = new DoorMember(null, others);
    member.quota("acme", Quota.USUAL);
    member.quota("globex", Quota.USUAL);
    member.grant("acme", "orders", "globex", Map.of(Scope.MAP, Rights.ALL));
    members.add(member);
  }

  private IMap<String, String> client(int member, String tenant) {
    HazelcastInstance client = members.get(member).client(tenant);
    clients.add(client);
    return client.getMap(MAP.toString());
  }

  @Test
  void chargesWritersWhileMembersComeAndGo() {
    join();
    join();
    var _ =
        members
            .getFirst()
            .member
            .mapSettings()
            .setChargedTo(MAP, ChargedTo.WRITER, Duration.ofSeconds(30));
    Maps maps = new Maps(client(0, "acme"), client(1, "globex"));
    write(maps);
    assertCharged();
    join();
    assertCharged();
    write(maps);
    assertCharged();
    maps.acme().clear();
    model.clear();
    write(maps);
    members.removeLast().close();
    assertCharged();
  }

  private void write(Maps maps) {
    for (int step = 0; step < STEPS; step++) {
      String key = "key-" + random.nextInt(KEYS);
      String tenant = random.nextBoolean() ? "acme" : "globex";
      IMap<String, String> map = maps.of(tenant);
      KeyMap engine = engineMap(members.get(random.nextInt(members.size())), tenant);
      switch (random.nextInt(8)) {
        case 0 -> map.set(key, value());
        case 1 -> map.put(key, value(), 1, TimeUnit.HOURS);
        case 2 -> {
          String other = "key-" + random.nextInt(KEYS);
          map.putAll(Map.of(key, value(), key.equals(other) ? "key-x" : other, value()));
          model.put(key.equals(other) ? "key-x" : other, tenant);
        }
        case 3, 4, 5 ->
            assertThat(submit(engine, KeyCommand.Write.of(key.getBytes(UTF_8), new byte[20])))
                .isInstanceOf(Outcome.Applied.class);
        case 6 -> map.delete(key);
        default -> submit(engine, new KeyCommand.Remove(key.getBytes(UTF_8), false));
      }
      if (!maps.acme().containsKey(key)) {
        model.remove(key);
      } else {
        model.put(key, tenant);
      }
    }
  }

  private String value() {
    return "v".repeat(random.nextInt(200));
  }

  private static KeyMap engineMap(DoorMember member, String user) {
    return member
        .member
        .engine()
        .space(identity("acme"))
        .map(new MapName("orders"), identity(user));
  }

  private static Identity identity(String tenant) {
    return new Identity(new TenantName(tenant), DoorMember.number(tenant), "k");
  }

  private static Outcome submit(KeyMap map, KeyCommand command) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    map.submit(List.of(command), (index, known) -> outcome.complete(known));
    return outcome.join();
  }

  private void assertCharged() {
    for (String tenant : List.of("acme", "globex")) {
      long entries = model.values().stream().filter(tenant::equals).count();
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(members)
                      .extracting(member -> member.admissions.usage(tenant).entriesHere())
                      .as("entries of " + tenant + " on each member")
                      .satisfies(
                          here ->
                              assertThat(here.stream().mapToLong(each -> each).sum())
                                  .isEqualTo(COPIES * entries)));
    }
  }
}
