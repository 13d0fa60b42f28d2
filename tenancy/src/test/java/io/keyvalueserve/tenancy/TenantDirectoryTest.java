package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TenantDirectoryTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final TenantName GLOBEX = new TenantName("globex");

  private final MapCatalogueStore store = new MapCatalogueStore();
  private final Catalogue catalogue = new Catalogue(store, Clock.systemUTC());
  private final TenantDirectory directory = directory(false);

  @Test
  void acceptsATenantByNameAndKeyAndByKeyAlone() {
    Catalogue.NewTenant acme = catalogue.create(ACME);
    Authentication expected =
        new Authentication.Accepted(new Identity(ACME, acme.tenant().number(), acme.keyId()));
    assertThat(directory.authenticate("acme", bytes(acme.accessKey()))).isEqualTo(expected);
    assertThat(directory.authenticateToken(bytes(acme.accessKey()))).isEqualTo(expected);
  }

  @Test
  void pagesHaveTheTenantsThatThereAreByName() {
    for (int i = 0; i < 30; i++) {
      catalogue.create(new TenantName("t-%02d".formatted(i)));
    }
    catalogue.create(ACME);
    catalogue.beginDelete(new TenantName("t-07"));
    assertThat(directory.in(TenantState.DELETING)).hasSize(1);
    catalogue.finishDelete(new TenantName("t-07"));
    assertThat(directory.count()).isEqualTo(30);
    assertThat(directory.in(TenantState.DELETING)).isEmpty();
    assertThat(names("", "", 2)).containsExactly("acme", "t-00");
    assertThat(names("t-0", "", 100)).hasSize(9).doesNotContain("t-07").startsWith("t-00");
    assertThat(names("t-0", "t-06", 2)).containsExactly("t-08", "t-09");
    assertThat(names("t-0", "a", 1)).containsExactly("t-00");
    assertThat(names("t-0", "t-1", 10)).isEmpty();
    assertThat(names("", "t-28", 10)).containsExactly("t-29");
  }

  private List<String> names(String prefix, String after, int most) {
    return directory.page(prefix, after, most).stream().map(t -> t.name().value()).toList();
  }

  @Test
  void refusesEverythingElseInTheSameWords() {
    Catalogue.NewTenant acme = catalogue.create(ACME);
    Catalogue.NewTenant globex = catalogue.create(GLOBEX);
    String key = acme.accessKey();
    String wrong = key.substring(0, key.length() - 1) + (key.endsWith("x") ? "y" : "x");
    List<Authentication> answers = new ArrayList<>();
    for (String tenant : new String[] {"acme", "globex", "unknown", "", "a/b", "dev"}) {
      for (String shown : new String[] {wrong, "", "kvs__", "kvs_a_b", "x".repeat(10_000)}) {
        answers.add(directory.authenticate(tenant, bytes(shown)));
      }
    }
    answers.add(directory.authenticate("acme", bytes(globex.accessKey())));
    answers.add(directory.authenticateToken(bytes(wrong)));
    answers.add(directory.authenticateAnonymous());
    assertThat(answers).containsOnly(Authentication.Refused.REFUSED);
  }

  @Test
  void shutsOutWhoIsSuspendedRevokedOrDeleted() {
    Catalogue.NewTenant acme = catalogue.create(ACME);
    byte[] key = bytes(acme.accessKey());
    Identity identity = new Identity(ACME, acme.tenant().number(), acme.keyId());
    assertThat(directory.isValid(identity)).isTrue();

    catalogue.suspend(ACME);
    assertThat(directory.isValid(identity)).isFalse();
    assertThat(directory.authenticate("acme", key)).isEqualTo(Authentication.Refused.REFUSED);
    catalogue.resume(ACME);
    assertThat(directory.isValid(identity)).isTrue();

    catalogue.revokeKey(ACME, acme.keyId());
    assertThat(directory.isValid(identity)).isFalse();
    assertThat(directory.authenticateToken(key)).isEqualTo(Authentication.Refused.REFUSED);

    catalogue.beginDelete(ACME);
    catalogue.finishDelete(ACME);
    catalogue.create(ACME);
    assertThat(directory.isValid(identity)).as("of an earlier tenant of the name").isFalse();
  }

  @Test
  void letsTheDeveloperInWithoutAKeyOnlyWhereItIsTold() {
    catalogue.createDev();
    assertThat(directory.authenticateAnonymous()).isEqualTo(Authentication.Refused.REFUSED);
    TenantDirectory dev = directory(true);
    assertThat(dev.authenticateAnonymous()).isInstanceOf(Authentication.Accepted.class);
    assertThat(directory.isValid(new Identity(Catalogue.DEV, 1, "dev"))).isFalse();
  }

  @Test
  void letsNobodyInUntilItIsLoadedAndSaysSo() {
    TenantDirectory empty = new TenantDirectory(true);
    Catalogue.NewTenant acme = catalogue.create(ACME);
    store.subscribe(empty::apply);
    byte[] key = bytes(acme.accessKey());
    for (Authentication early :
        List.of(
            empty.authenticate("acme", key),
            empty.authenticate("nobody", key),
            empty.authenticateToken(key),
            empty.authenticateAnonymous())) {
      assertThat(early).isEqualTo(Authentication.Refused.NOT_READY);
    }
    empty.markLoaded();
    assertThat(empty.authenticate("acme", key)).isInstanceOf(Authentication.Accepted.class);
  }

  @Test
  void takesTheHighestRevisionInWhateverOrderTheyCome() {
    Tenant first = catalogue.create(ACME).tenant();
    Tenant second = catalogue.suspend(ACME);
    TenantDirectory late = new TenantDirectory(false);
    late.apply(second);
    late.apply(first);
    assertThat(late.find(ACME)).contains(second);
  }

  @Test
  void aMemberThatIsReservedLetsInOneTenantAndEndsTheOthers() {
    SessionRegistry sessions = new SessionRegistry(directory::isValid);
    Catalogue.NewTenant acme = catalogue.create(ACME);
    Catalogue.NewTenant other = catalogue.create(new TenantName("other"));
    OpenSession before = login(sessions, other);
    OpenSession own = login(sessions, acme);
    sessions.admitOnly(identity -> identity.tenant().equals(ACME));
    assertThat(sessions.endUnless(sessions::mayEnter, SessionRegistry.RESERVED)).isEqualTo(1);
    assertThat(before.open.get()).isFalse();
    assertThat(own.open.get()).isTrue();
    assertThat(sessions.register(before)).isEqualTo(SessionRegistry.Entry.RESERVED);
    assertThat(sessions.count()).isEqualTo(1);
    sessions.admitOnly(identity -> true);
    assertThat(sessions.register(before)).isEqualTo(SessionRegistry.Entry.ENTERED);
    catalogue.suspend(other.tenant().name());
    sessions.admitOnly(identity -> false);
    assertThat(sessions.register(before)).isEqualTo(SessionRegistry.Entry.NO_LONGER_VALID);
  }

  /** Revokes while sessions register, many times over: none may be open in the end. */
  @Test
  void leavesNoSessionOpenWhenRevocationAndLoginRace() throws Exception {
    SessionRegistry sessions = new SessionRegistry(directory::isValid);
    directory.onChange(changed -> sessions.endInvalid("revoked"));
    try (var executor = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 300; round++) {
        TenantName name = new TenantName("racer-" + round);
        Catalogue.NewTenant tenant = catalogue.create(name);
        CountDownLatch start = new CountDownLatch(1);
        Future<?> login =
            executor.submit(
                () -> {
                  start.await();
                  return login(sessions, tenant);
                });
        Future<?> revoke =
            executor.submit(
                () -> {
                  start.await();
                  catalogue.revokeKey(name, tenant.keyId());
                  return null;
                });
        start.countDown();
        OpenSession session = (OpenSession) login.get();
        revoke.get();
        assertThat(session.open.get()).as("round %s", round).isFalse();
      }
    }
    assertThat(sessions.count()).isZero();
  }

  private OpenSession login(SessionRegistry sessions, Catalogue.NewTenant tenant) {
    Identity identity =
        new Identity(tenant.tenant().name(), tenant.tenant().number(), tenant.keyId());
    OpenSession session = new OpenSession(sessions, identity);
    boolean in =
        directory.authenticateToken(bytes(tenant.accessKey())) instanceof Authentication.Accepted
            && sessions.register(session) == SessionRegistry.Entry.ENTERED;
    if (!in) {
      session.open.set(false);
    }
    return session;
  }

  private record OpenSession(SessionRegistry sessions, Identity identity, AtomicBoolean open)
      implements Session {
    OpenSession(SessionRegistry sessions, Identity identity) {
      this(sessions, identity, new AtomicBoolean(true));
    }

    @Override
    public void end(String reason) {
      open.set(false);
      sessions.unregister(this);
    }
  }

  private TenantDirectory directory(boolean dev) {
    TenantDirectory made = new TenantDirectory(dev);
    store.subscribe(made::apply);
    made.markLoaded();
    return made;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
