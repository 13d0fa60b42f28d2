package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.CatalogueException.Kind;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogueTest {
  private static final TenantName ACME = new TenantName("acme");

  private final MapCatalogueStore store = new MapCatalogueStore();
  private final Catalogue catalogue =
      new Catalogue(store, Clock.fixed(Instant.parse("2026-01-02T03:04:05.678Z"), ZoneOffset.UTC));

  @Test
  void createsATenantWithOneKeyOfWhichOnlyTheHashIsKept() {
    Catalogue.NewTenant created = catalogue.create(ACME);
    assertThat(created.accessKey()).startsWith("kvs_" + created.keyId() + "_");
    assertThat(CatalogueCodec.encode(created.tenant()))
        .doesNotContain(created.accessKey().substring(created.accessKey().lastIndexOf('_') + 1));
    assertThat(catalogue.get(ACME)).isEqualTo(created.tenant());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "kvs", "kvs-system"})
  void keepsSomeNamesForItself(String name) {
    assertRefused(Kind.RESERVED_NAME, () -> catalogue.create(new TenantName(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "a/b", "a:b", "a@b", "-a", "a-", "a_b", "a b", "ä"})
  void refusesNamesThatAreNoLabels(String name) {
    assertThatThrownBy(() -> new TenantName(name))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("invalid tenant name");
  }

  @Test
  void givesANameThatWasDeletedANewNumber() {
    Tenant first = catalogue.create(ACME).tenant();
    catalogue.beginDelete(ACME);
    assertRefused(Kind.WRONG_STATE, () -> catalogue.create(ACME));
    assertRefused(Kind.WRONG_STATE, () -> catalogue.resume(ACME));
    catalogue.finishDelete(ACME);
    assertRefused(Kind.NO_SUCH_TENANT, () -> catalogue.get(ACME));
    Tenant second = catalogue.create(ACME).tenant();
    assertThat(second.number()).isGreaterThan(first.number());
    assertThat(second.revision()).isGreaterThan(first.revision() + 1);
  }

  @Test
  void revokesOneKeyAndNoOther() {
    String first = catalogue.create(ACME).keyId();
    String second = catalogue.createKey(ACME, "ci").key().id();
    catalogue.revokeKey(ACME, first);
    assertThat(catalogue.get(ACME).keys()).extracting(AccessKey::id).containsExactly(second);
    assertRefused(Kind.NO_SUCH_KEY, () -> catalogue.revokeKey(ACME, first));
  }

  @Test
  void suspendingTwiceChangesNothingMore() {
    catalogue.create(ACME);
    Tenant once = catalogue.suspend(ACME);
    assertThat(catalogue.suspend(ACME)).isEqualTo(once);
    assertThat(catalogue.resume(ACME).state()).isEqualTo(TenantState.ACTIVE);
  }

  /** Random operations against a plain map of what should be; the seed is in the test's name. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void behavesAsItsModel(long seed) {
    Random random = new Random(seed);
    Map<TenantName, TenantState> model = new HashMap<>();
    Map<TenantName, Set<String>> keys = new HashMap<>();
    Map<TenantName, Long> revisions = new HashMap<>();
    for (int step = 0; step < 2_000; step++) {
      TenantName name = new TenantName("t" + random.nextInt(5));
      TenantState state = model.getOrDefault(name, TenantState.DELETED);
      boolean there = state == TenantState.ACTIVE || state == TenantState.SUSPENDED;
      try {
        switch (random.nextInt(7)) {
          case 0 -> {
            String keyId = catalogue.create(name).keyId();
            assertThat(state).isEqualTo(TenantState.DELETED);
            model.put(name, TenantState.ACTIVE);
            keys.put(name, new HashSet<>(Set.of(keyId)));
          }
          case 1 -> {
            catalogue.suspend(name);
            assertThat(there).isTrue();
            model.put(name, TenantState.SUSPENDED);
          }
          case 2 -> {
            catalogue.resume(name);
            assertThat(there).isTrue();
            model.put(name, TenantState.ACTIVE);
          }
          case 3 -> {
            catalogue.beginDelete(name);
            assertThat(state).isNotEqualTo(TenantState.DELETED);
            model.put(name, TenantState.DELETING);
          }
          case 4 -> {
            catalogue.finishDelete(name);
            assertThat(state).isEqualTo(TenantState.DELETING);
            model.put(name, TenantState.DELETED);
            keys.remove(name);
          }
          case 5 -> {
            String keyId = catalogue.createKey(name, "").key().id();
            assertThat(there).isTrue();
            keys.getOrDefault(name, new HashSet<>()).add(keyId);
          }
          default -> {
            Set<String> own = keys.getOrDefault(name, Set.of());
            String keyId = own.isEmpty() ? "none" : own.iterator().next();
            catalogue.revokeKey(name, keyId);
            assertThat(there).isTrue();
            assertThat(own.remove(keyId)).isTrue();
          }
        }
      } catch (CatalogueException refused) {
        assertThat(stateInStore(name)).as("a refusal changes nothing").isEqualTo(state);
      }
      assertThat(stateInStore(name)).isEqualTo(model.getOrDefault(name, TenantState.DELETED));
      store
          .get(name)
          .ifPresent(
              tenant -> {
                assertThat(tenant.keys())
                    .extracting(AccessKey::id)
                    .containsExactlyInAnyOrderElementsOf(keys.getOrDefault(name, Set.of()));
                Long before = revisions.put(name, tenant.revision());
                assertThat(tenant.revision()).isGreaterThanOrEqualTo(before == null ? 0 : before);
              });
    }
  }

  @Test
  void losesNoChangeWhenManyAdministratorsWorkAtOnce() throws Exception {
    catalogue.create(ACME);
    try (var executor = Executors.newFixedThreadPool(4)) {
      for (Future<?> future :
          IntStream.range(0, 100)
              .mapToObj(i -> executor.submit(() -> catalogue.createKey(ACME, "key " + i)))
              .toList()) {
        future.get();
      }
    }
    assertThat(catalogue.get(ACME).keys()).hasSize(101);
    assertThat(catalogue.get(ACME).revision()).isEqualTo(101);
  }

  private TenantState stateInStore(TenantName name) {
    return store.get(name).map(Tenant::state).orElse(TenantState.DELETED);
  }

  private static void assertRefused(Kind kind, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            CatalogueException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
