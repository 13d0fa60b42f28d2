package io.keyvalueserve.billing.spending;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what all members spend: what the ledger has, and of each member what it spent since it
 * told the ledger. The ledger says up to which interval it has a member's usage, and the member how
 * much it had spent by then, so nothing counts twice or is left out, whatever order they are heard
 * in; but for requests that were under way when usage was told.
 *
 * <p>A member that is gone counts as far as the ledger has it: the rest will be on no bill.
 * Thread-safe.
 */
public final class SpendAdder {
  private final Map<UUID, Map<Integer, Heard>> heard = new HashMap<>();
  private final Map<Integer, LedgerSpent> ledgers = new HashMap<>();
  private List<UUID> members = List.of();

  private record Heard(@Nullable UUID life, SpentHere.OfTenant spent) {}

  SpendAdder() {}

  /** Sets the members that are present. */
  public synchronized void setMembers(List<UUID> present) {
    members = List.copyOf(present);
    heard.keySet().retainAll(Set.copyOf(present));
  }

  /** Takes in what a member has spent. */
  public synchronized void take(SpentHere said) {
    Map<Integer, Heard> of = heard.computeIfAbsent(said.member(), member -> new HashMap<>());
    for (SpentHere.OfTenant spent : said.tenants()) {
      of.put(spent.tenantNumber(), new Heard(said.life(), spent));
    }
  }

  /** Takes in what a tenant has spent by its ledger. */
  public synchronized void setLedger(int tenantNumber, LedgerSpent spent) {
    ledgers.put(tenantNumber, spent);
  }

  /** Forgets the tenants that are not among these. */
  public synchronized void retain(Set<Integer> tenantNumbers) {
    ledgers.keySet().retainAll(tenantNumbers);
    heard.values().forEach(of -> of.keySet().retainAll(tenantNumbers));
  }

  /** Forgets what ledgers said: this member adds up no more, and may have to begin anew later. */
  public synchronized void rest() {
    ledgers.clear();
  }

  /**
   * Returns the amount that a tenant has spent, in nano units, in the month that its ledger was
   * read for; empty if that is unknown.
   */
  public synchronized OptionalLong total(int tenantNumber) {
    LedgerSpent ledger = ledgers.get(tenantNumber);
    return ledger == null ? OptionalLong.empty() : OptionalLong.of(total(tenantNumber, ledger));
  }

  private long total(int tenantNumber, LedgerSpent ledger) {
    long total = ledger.nanos();
    for (Map<Integer, Heard> of : heard.values()) {
      Heard one = of.get(tenantNumber);
      if (one != null && one.spent().month().equals(ledger.month())) {
        long posted = one.life() == null ? -1 : ledger.posted().getOrDefault(one.life(), -1L);
        total = NanoMoney.add(total, one.spent().pendingNanos(posted));
      }
    }
    return total;
  }

  /** Returns the totals for a member, of tenants for which it has reported spending. */
  public synchronized SpentByAll totalsFor(UUID member) {
    Map<Integer, Heard> own = heard.getOrDefault(member, Map.of());
    List<SpentByAll.OfTenant> totals = new ArrayList<>();
    ledgers.forEach(
        (tenantNumber, ledger) -> {
          Heard one = own.get(tenantNumber);
          boolean isOfMonth = one != null && one.spent().month().equals(ledger.month());
          if (one != null && isOfMonth) {
            totals.add(
                new SpentByAll.OfTenant(
                    tenantNumber,
                    ledger.month(),
                    total(tenantNumber, ledger),
                    one.spent().spentNanos(),
                    Math.max(1, members.size())));
          }
        });
    return new SpentByAll(totals);
  }
}
