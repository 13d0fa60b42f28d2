package io.keyvalueserve.grid.turn;

import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of tenants by the grid's names of their objects, which begin with the tenant's name
 * and a slash or a colon. Thread-safe; asking takes no lock and makes no garbage.
 */
final class TenantNumbers {
  /**
   * The number that is returned for an object that belongs to no tenant, or to none that is known.
   */
  static final int UNKNOWN = -1;

  private static final int MOST_CHARACTERS = 63;

  private static final int FEWEST_SLOTS = 16;

  private final Map<String, Tenant> known = new HashMap<>();
  private volatile Table table = new Table(FEWEST_SLOTS);

  /**
   * Takes a tenant's record in; one that is not newer than what is known changes nothing. Costs the
   * same however many tenants there are, but when the table grows.
   */
  synchronized void apply(Tenant tenant) {
    String name = tenant.name().value();
    Tenant before = known.get(name);
    if (before != null && before.revision() >= tenant.revision()) {
      return;
    }
    known.put(name, tenant);
    Table present = table;
    if (2 * known.size() > present.slots.length()) {
      Table grown = new Table(2 * present.slots.length());
      known.forEach((each, record) -> grown.put(each, number(record)));
      table = grown;
    } else {
      present.put(name, number(tenant));
    }
  }

  private static int number(Tenant tenant) {
    return tenant.state() == TenantState.DELETED ? UNKNOWN : tenant.number();
  }

  /** The number of the tenant that an object belongs to. */
  int ofObject(@Nullable String name) {
    return name == null ? UNKNOWN : table.find(name);
  }

  /** The same of a name in UTF-8. */
  int ofObject(byte[] bytes, int start, int length) {
    return table.find(bytes, start, length);
  }

  private static boolean isEnd(int character) {
    return character == '/' || character == ':';
  }

  /** A tenant's name, and its number now. */
  private static final class Entry {
    final byte[] name;
    volatile int number;

    Entry(byte[] name, int number) {
      this.name = name;
      this.number = number;
    }
  }

  /**
   * Open addressing, at most half full. Entries come and change while others look, and never go:
   * the number of a tenant that was deleted is {@link #UNKNOWN}.
   */
  private static final class Table {
    final AtomicReferenceArray<@Nullable Entry> slots;

    /** An empty one of so many slots: a power of two. */
    Table(int size) {
      slots = new AtomicReferenceArray<>(size);
    }

    void put(String name, int number) {
      byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
      int hash = 0;
      for (byte each : bytes) {
        hash = 31 * hash + each;
      }
      int slot = first(hash);
      for (Entry each = at(slot); each != null; each = at(slot)) {
        if (Arrays.equals(each.name, bytes)) {
          each.number = number;
          return;
        }
        slot = next(slot);
      }
      slots.setRelease(slot, new Entry(bytes, number));
    }

    private @Nullable Entry at(int slot) {
      return slots.getAcquire(slot);
    }

    private int first(int hash) {
      return (hash ^ hash >>> 16) & (slots.length() - 1);
    }

    private int next(int slot) {
      return (slot + 1) & (slots.length() - 1);
    }

    int find(String name) {
      int most = Math.min(name.length(), MOST_CHARACTERS + 1);
      int hash = 0;
      for (int i = 0; i < most; i++) {
        char each = name.charAt(i);
        if (isEnd(each)) {
          return find(name, i, hash);
        }
        hash = 31 * hash + each;
      }
      return UNKNOWN;
    }

    private int find(String name, int length, int hash) {
      int slot = first(hash);
      for (Entry entry = at(slot); entry != null; entry = at(slot)) {
        byte[] found = entry.name;
        int same = found.length == length ? 0 : -1;
        while (same >= 0 && same < length && found[same] == name.charAt(same)) {
          same++;
        }
        if (same == length) {
          return entry.number;
        }
        slot = next(slot);
      }
      return UNKNOWN;
    }

    int find(byte[] bytes, int start, int length) {
      int most = Math.min(length, MOST_CHARACTERS + 1);
      int hash = 0;
      for (int i = 0; i < most; i++) {
        byte each = bytes[start + i];
        if (isEnd(each)) {
          return find(bytes, start, i, hash);
        }
        hash = 31 * hash + each;
      }
      return UNKNOWN;
    }

    private int find(byte[] bytes, int start, int length, int hash) {
      int slot = first(hash);
      for (Entry entry = at(slot); entry != null; entry = at(slot)) {
        byte[] found = entry.name;
        int same = found.length == length ? 0 : -1;
        while (same >= 0 && same < length && found[same] == bytes[start + same]) {
          same++;
        }
        if (same == length) {
          return entry.number;
        }
        slot = next(slot);
      }
      return UNKNOWN;
    }
  }
}
