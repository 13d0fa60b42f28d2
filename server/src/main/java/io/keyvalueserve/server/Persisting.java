package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.settings.Consent;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.Keeping;
import io.keyvalueserve.grid.settings.KeepingChange;
import io.keyvalueserve.grid.settings.MapSettings;
import io.keyvalueserve.grid.settings.MapSettingsException;
import io.keyvalueserve.grid.settings.Pending;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets how maps are kept: by words, by durability and use of memory one by one, and by the consent
 * of tenants. Each change is in the audit trail. Blocks; thread-safe.
 */
public final class Persisting {
  private static final Logger LOG = LoggerFactory.getLogger(Persisting.class);

  private final Catalogue tenants;
  private final GridMember grid;
  private final Hibernating hibernating;
  private final AuditTrails audit;

  /** The changes of consent that run, by the numbers of tenants. */
  private final OneAtATime<Integer> consents = new OneAtATime<>();

  /**
   * @param hibernating brings a tenant back first, because how it is kept is carried out in memory
   */
  Persisting(Catalogue tenants, GridMember grid, Hibernating hibernating, AuditTrails audit) {
    this.tenants = tenants;
    this.grid = grid;
    this.hibernating = hibernating;
    this.audit = audit;
  }

  /**
   * The settings of a tenant for those maps that have none of their own.
   *
   * @param consent the last word of the tenant for all its maps; null if it has said nothing
   * @param pending the members on which it does not hold yet
   */
  public record View(
      TenantName tenant, Persistence word, @Nullable Consent consent, List<Pending> pending) {
    public View {
      pending = List.copyOf(pending);
    }
  }

  /** Returns what holds for all maps of a tenant. Asks all members. */
  public View of(TenantName tenant) {
    Tenant _ = tenants.get(tenant);
    MapSettings all = settings().ofAll(tenant);
    return new View(tenant, all.persistence(), all.consent(), settings().pending(all));
  }

  private GridMapSettings settings() {
    return grid.mapSettings();
  }

  /**
   * Sets how a map is kept, with all that it has.
   *
   * @param patience how long to wait until it holds; the change goes on afterwards
   * @throws MapSettingsException if that cannot be
   */
  public void keep(QualifiedName map, KeepingChange change, Duration patience, Actor by) {
    Tenant _ = tenants.get(map.tenant());
    hibernating.require(map.tenant());
    MapSettings before = settings().of(map);
    begun(() -> settings().keep(map, change, patience));
    String words = inWords(change, before);
    LOG.info("configured map {}: {}", map, words);
    audit.changed(Occurrence.mapConfigured(by, map.tenant(), map.toString(), words));
  }

  /** Returns the change as the audit trail has it: what is set, and what was set before. */
  private static String inWords(KeepingChange change, MapSettings before) {
    StringJoiner words = new StringJoiner(" ");
    if (change.setsDurability()) {
      words.add(
          inWords(
              "durability",
              change.durability() == null ? null : change.durability().text(),
              before.durability() == null ? null : before.durability().text()));
    }
    if (change.setsOverMemory()) {
      words.add(
          inWords(
              "over-memory",
              change.overMemory() == null ? null : change.overMemory().text(),
              before.overMemory() == null ? null : before.overMemory().text()));
    }
    Persistence word = change.persistence();
    if (word != null) {
      words.add(inWords("persistence", word.text(), before.persistence().text()));
    }
    return words.toString();
  }

  private static String inWords(String setting, @Nullable String next, @Nullable String before) {
    return setting
        + "="
        + (next == null ? "default" : next)
        + " (before: "
        + (before == null ? "default" : before)
        + ")";
  }

  /** Sets the word for those maps of a tenant that have none of their own; see {@link #keep}. */
  public void keepAll(TenantName tenant, Persistence word, Duration patience, Actor by) {
    Tenant _ = tenants.get(tenant);
    hibernating.require(tenant);
    MapSettings before = settings().ofAll(tenant);
    begun(() -> settings().keepAll(tenant, word, patience));
    String words = inWords("persistence", word.text(), before.persistence().text());
    LOG.info("configured tenant {}: {}", tenant, words);
    audit.changed(Occurrence.tenantConfigured(by, tenant, words));
  }

  /**
   * Takes note of whether a tenant consents that one of its maps is on the disk. One change of a
   * tenant is carried out at a time, because each may write all that its maps have.
   *
   * @param by the tenant, with the key that says so
   * @throws MapSettingsException {@code NO_SUCH_MAP} if the map neither exists nor is set up: or a
   *     tenant could fill the catalogue with names
   */
  public void consent(QualifiedName map, boolean given, Duration patience, Identity by) {
    if (!grid.mapsOf(map.tenant()).contains(map.map().value())) {
      throw new MapSettingsException(
          MapSettingsException.Kind.NO_SUCH_MAP,
          "map",
          "there is no map "
              + map
              + " yet: write to it first, have the operator set it up, or consent for all maps");
    }
    Supplier<@Nullable Consent> said =
        () -> Keeping.of(settings().of(map), settings().ofAll(map.tenant())).consent();
    consent(
        map.toString(),
        given,
        said,
        () -> settings().consent(map, given, by.keyId(), patience),
        by);
  }

  /** Takes note of whether a tenant consents for all its maps; see {@link #consent}. */
  public void consentToAll(boolean given, Duration patience, Identity by) {
    TenantName tenant = by.tenant();
    consent(
        tenant.value(),
        given,
        () -> settings().ofAll(tenant).consent(),
        () -> settings().consentToAll(tenant, given, by.keyId(), patience),
        by);
  }

  private void consent(
      String object,
      boolean given,
      Supplier<@Nullable Consent> said,
      Supplier<MapSettings> change,
      Identity by) {
    consents.run(
        by.number(),
        () -> {
          Consent before = said.get();
          hibernating.require(by.tenant());
          try {
            begun(change);
          } finally { // it is noted, whether members can carry it out or not
            note(object, given, before, said.get(), by);
          }
        },
        () ->
            new MapSettingsException(
                MapSettingsException.Kind.UNDER_WAY,
                "consent",
                "consent: another change of the tenant's consent is being carried out; try again"
                    + " when it is through"));
  }

  private void note(
      String object,
      boolean given,
      @Nullable Consent before,
      @Nullable Consent after,
      Identity by) {
    if (after == null || after.equals(before)) {
      return; // it had said the same before
    }
    String words =
        "before: "
            + (before == null ? "nothing said" : before.given() ? "given" : "withdrawn")
            + (before == null ? "" : " by key " + before.keyId());
    LOG.info("consent to the disk for {}: given={} {}", object, given, words);
    audit.changed(Occurrence.consented(Actor.of(by), by.tenant(), object, given, words));
  }

  /** Makes a change, which may go on when this returns. */
  private static void begun(Supplier<MapSettings> change) {
    try {
      MapSettings _ = change.get();
    } catch (MapSettingsException e) {
      if (e.kind() != MapSettingsException.Kind.UNDER_WAY) {
        throw e;
      }
    }
  }
}
