package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.DistributedObjectEvent;
import com.hazelcast.core.DistributedObjectListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.transaction.TransactionContext;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: an unmodified Java client has the whole grid for its tenant, and nothing of another's. */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaClientIsolationAcceptanceTest {
  private final KvsProcess server;
  private final Tenant acmeTenant;
  private final Connection acmeConnection;
  private final Connection globexConnection;
  private final HazelcastInstance acme;
  private final HazelcastInstance globex;

  JavaClientIsolationAcceptanceTest(KvsProcess server) {
    this.server = server;
    acmeTenant = server.admin().createTenant("java-acme");
    acmeConnection = HazelcastClients.connect(server, acmeTenant);
    globexConnection = HazelcastClients.connect(server, server.admin().createTenant("java-globex"));
    acme = acmeConnection.client();
    globex = globexConnection.client();
  }

  @AfterAll
  void disconnect() {
    acmeConnection.close();
    globexConnection.close();
  }

  @ParameterizedTest
  @EnumSource
  void twoTenantsUseOneNameAndEachSeesExactlyItsOwn(Structure structure) {
    String name = "isolated";
    structure.fill(acme, name, "acme");
    assertThat(structure.content(globex, name)).isEmpty();

    structure.fill(globex, name, "globexx");
    assertThat(structure.content(acme, name)).isEqualTo(structure.filled("acme"));
    assertThat(structure.content(globex, name)).isEqualTo(structure.filled("globexx"));
  }

  @Test
  void aTransactionThatIsRolledBackLeavesNothing() {
    TransactionContext transaction = acme.newTransactionContext();
    transaction.beginTransaction();
    transaction.<String, String>getMap("undone").put("a", "b");
    assertThat(transaction.<String, String>getMap("undone").get("a")).isEqualTo("b");
    transaction.rollbackTransaction();
    assertThat(acme.getMap("undone").isEmpty()).isTrue();
  }

  @Test
  void flakeIdsAreNewEachTime() {
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      ids.add(acme.getFlakeIdGenerator("ids").newId());
    }
    assertThat(ids).hasSize(3);
  }

  @Test
  void listenersHearTheirOwnTenantAndNobodyElse() {
    Eavesdropper ofAcme = new Eavesdropper(acme, "overheard");
    Eavesdropper ofGlobex = new Eavesdropper(globex, "overheard");

    Eavesdropper.speak(globex, "overheard", "globex");
    awaitHearing(ofGlobex, "globex");
    Eavesdropper.speak(acme, "overheard", "acme");
    awaitHearing(ofAcme, "acme");

    assertThat(ofAcme.heard()).allMatch(said -> said.endsWith(" acme"));
    assertThat(ofGlobex.heard()).allMatch(said -> said.endsWith(" globex"));
  }

  @Test
  void clearingAndDestroyingTouchesOnlyTheTenantsOwn() {
    acme.getMap("cleared").put("a", "acme");
    globex.getMap("cleared").put("a", "globex");
    acme.getMap("cleared").clear();
    assertThat(globex.getMap("cleared").get("a")).isEqualTo("globex");
    acme.getMap("cleared").destroy();
    assertThat(globex.getMap("cleared").get("a")).isEqualTo("globex");
  }

  @Test
  void aLockOfOneTenantDoesNotHoldUpAnother() {
    acme.getMap("locked").lock("a");
    try {
      assertThat(globex.getMap("locked").isLocked("a")).isFalse();
      assertThat(globex.getMap("locked").tryLock("a")).isTrue();
      globex.getMap("locked").unlock("a");
    } finally {
      acme.getMap("locked").unlock("a");
    }
  }

  @Test
  void aTenantIsShownItsOwnObjectsUnderItsOwnNames() {
    try (Connection one = connect("java-lister");
        Connection two = connect("java-neighbour")) {
      for (Structure structure : Structure.values()) {
        structure.fill(one.client(), "orders", "one");
        structure.fill(two.client(), "invoices", "two");
      }
      Set<String> expected =
          Set.of(Structure.values()).stream()
              .filter(structure -> structure != Structure.TRANSACTION)
              .map(structure -> structure.serviceName() + " orders")
              .collect(Collectors.toCollection(HashSet::new));
      expected.add("hz:impl:mapService orders.map");
      expected.add("hz:impl:queueService orders.queue");
      assertThat(objects(one)).isEqualTo(expected);
      assertThat(objects(two)).hasSameSizeAs(expected).allMatch(name -> name.contains(" invoices"));
    }
  }

  @Test
  void aTenantIsToldOfItsOwnObjectsUnderItsOwnNames() {
    List<String> heard = new CopyOnWriteArrayList<>();
    acme.addDistributedObjectListener(
        new DistributedObjectListener() {
          @Override
          public void distributedObjectCreated(DistributedObjectEvent event) {
            heard.add("created " + event.getServiceName() + " " + event.getObjectName());
          }

          @Override
          public void distributedObjectDestroyed(DistributedObjectEvent event) {
            heard.add("destroyed " + event.getServiceName() + " " + event.getObjectName());
          }
        });
    globex.getMap("told-of-globex").put("a", "b");
    globex.getMap("told-of-globex").destroy();
    acme.getMap("told-of-acme").put("a", "b");
    acme.getMap("told-of-acme").destroy();

    await("the end of the map")
        .until(() -> heard.contains("destroyed hz:impl:mapService told-of-acme"));
    assertThat(heard).contains("created hz:impl:mapService told-of-acme");
    assertThat(heard).noneMatch(said -> said.contains("globex"));
  }

  @Test
  void anotherTenantsMapIsNotReachedByItsFullName() {
    acme.getMap("secret").put("a", "acme's own");
    Throwable refusal =
        catchThrowable(() -> globex.<String, String>getMap("java-acme/secret").get("a"));

    assertThat(refusal).isNotNull();
    Refusals.assertClear(refusal);
    assertThatThrownBy(() -> globex.getMap("java-acme/secret").put("a", "globex was here"));
    assertThatThrownBy(() -> globex.getQueue("java-acme/secret").size());
    assertThatThrownBy(() -> globex.getReliableTopic("java-acme/secret").publish("hello"));
    TransactionContext transaction = globex.newTransactionContext();
    transaction.beginTransaction();
    assertThatThrownBy(
        () -> transaction.<String, String>getMap("java-acme/secret").put("a", "globex was here"));
    transaction.rollbackTransaction();

    assertThat(acme.getMap("secret").get("a")).isEqualTo("acme's own");
    assertThat(globex.getMap("isolated-still").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void whatTenantsMayNotHaveIsRefusedClearlyAndTheConnectionSurvives(Forbidden forbidden) {
    IMap<String, String> map = acme.getMap("after-refusal");
    map.put("a", "before");
    String connectedAs = acme.getLocalEndpoint().getUuid().toString();

    Throwable refusal = catchThrowable(() -> forbidden.attempt(acme));

    assertThat(refusal).as("%s is refused", forbidden).isNotNull();
    Refusals.assertClear(refusal);
    assertThat(map.get("a")).as("no code of the tenant ran").isEqualTo("before");
    assertThat(acme.getLocalEndpoint().getUuid()).hasToString(connectedAs);
    assertThat(acme.getLifecycleService().isRunning()).isTrue();
  }

  @Test
  void anAccessKeyAloneSaysWhoseItIs() {
    acme.getMap("by-token").put("a", "acme");
    try (Connection byToken =
        HazelcastClients.connect(
            HazelcastClients.tokenConfig(server.clientAddress(), acmeTenant.accessKey()))) {
      assertThat(byToken.client().getMap("by-token").get("a")).isEqualTo("acme");
    }
  }

  @Test
  void aStrangerIsNotLetIn() {
    Duration patience = Duration.ofSeconds(2);
    assertThatThrownBy(
            () ->
                HazelcastClients.connect(
                        HazelcastClients.anonymous(server.clientAddress(), patience))
                    .close())
        .isInstanceOf(IllegalStateException.class);
    Tenant wrongKey = acmeTenant.with("kvs_" + acmeTenant.keyId() + "_wrong");
    assertThatThrownBy(
            () ->
                HazelcastClients.connect(
                        HazelcastClients.config(server.clientAddress(), wrongKey, patience))
                    .close())
        .isInstanceOf(IllegalStateException.class);
  }

  private Connection connect(String name) {
    return HazelcastClients.connect(server, server.admin().createTenant(name));
  }

  private static void awaitHearing(Eavesdropper ear, String value) {
    Set<String> all =
        Eavesdropper.KINDS.stream().map(kind -> kind + " " + value).collect(Collectors.toSet());
    await("everything is heard").untilAsserted(() -> assertThat(ear.heard()).containsAll(all));
  }

  private static Set<String> objects(Connection connection) {
    return connection.client().getDistributedObjects().stream()
        .map(object -> object.getServiceName() + " " + object.getName())
        .collect(Collectors.toSet());
  }
}
