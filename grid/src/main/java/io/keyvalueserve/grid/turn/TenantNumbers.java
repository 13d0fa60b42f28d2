package io.keyvalueserve.grid.turn;

import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of tenants by the grid's names of their objects, which begin with the tenant's name
 * and a slash or a colon. Thread-safe; asking takes no lock and makes no garbage.
 */
final class TenantNumbers {
  /** What is returned for an object that is no tenant's, or not of one that is known. */
  static final int UNKNOWN = -1;

  private static final int MOST_CHARACTERS = 63;

  private final Map<String, Tenant> known = new HashMap<>();
  private volatile Table table = new Table(Map.of());

  /** Takes a tenant's record in; one that is not newer than what is known changes nothing. */
  synchronized void apply(Tenant tenant) {
    String name = tenant.name().value();
    Tenant before = known.get(name);
    if (before != null && before.revision() >= tenant.revision()) {
      return;
    }
    known.put(name, tenant);
    Map<String, Integer> numbers = new HashMap<>();
    known.forEach(
        (each, record) -> {
          if (record.state() != TenantState.DELETED) {
            numbers.put(each, record.number());
          }
        });
    table = new Table(numbers);
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

  /** Open addressing, at most half full. Immutable. */
  private static final class Table {
    private final byte[][] names;
    private final int[] numbers;

    Table(Map<String, Integer> tenants) {
      int size = Integer.highestOneBit(Math.max(1, tenants.size())) << 2;
      names = new byte[size][];
      numbers = new int[size];
      tenants.forEach(
          (name, number) -> {
            byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
            int hash = 0;
            for (byte each : bytes) {
              hash = 31 * hash + each;
            }
            int slot = first(hash);
            while (names[slot] != null) {
              slot = next(slot);
            }
            names[slot] = bytes;
            numbers[slot] = number;
          });
    }

    private int first(int hash) {
      return (hash ^ hash >>> 16) & (names.length - 1);
    }

    private int next(int slot) {
      return (slot + 1) & (names.length - 1);
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
      for (int slot = first(hash); names[slot] != null; slot = next(slot)) {
        byte[] found = names[slot];
        int same = found.length == length ? 0 : -1;
        while (same >= 0 && same < length && found[same] == name.charAt(same)) {
          same++;
        }
        if (same == length) {
          return numbers[slot];
        }
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
      for (int slot = first(hash); names[slot] != null; slot = next(slot)) {
        byte[] found = names[slot];
        int same = found.length == length ? 0 : -1;
        while (same >= 0 && same < length && found[same] == bytes[start + same]) {
          same++;
        }
        if (same == length) {
          return numbers[slot];
        }
      }
      return UNKNOWN;
    }
  }
}
