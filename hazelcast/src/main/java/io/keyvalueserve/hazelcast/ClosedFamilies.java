package io.keyvalueserve.hazelcast;

import java.util.Locale;
import java.util.Map;

/** Names for what is closed to tenants, so that a refusal says what was refused. */
final class ClosedFamilies {
  private static final int FAMILY_SHIFT = 16;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(0x00, "this client request"),
          Map.entry(0x01, "this map request (interceptors, event journals, bulk metadata)"),
          Map.entry(0x07, "CP subsystem requests"),
          Map.entry(0x08, "executor requests"),
          Map.entry(0x09, "CP subsystem requests"),
          Map.entry(0x0a, "CP subsystem requests"),
          Map.entry(0x0b, "CP subsystem requests"),
          Map.entry(0x0c, "CP subsystem requests"),
          Map.entry(0x0d, "this replicated map request"),
          Map.entry(0x13, "JCache requests"),
          Map.entry(0x14, "XA transactions"),
          Map.entry(0x16, "query cache requests"),
          Map.entry(0x18, "durable executor requests"),
          Map.entry(0x1a, "scheduled executor requests"),
          Map.entry(0x1b, "dynamic configuration"),
          Map.entry(0x1e, "CP subsystem requests"),
          Map.entry(0x1f, "CP subsystem requests"),
          Map.entry(0x20, "management requests"),
          Map.entry(0x21, "this SQL request (definitions for the management center)"),
          Map.entry(0x22, "CP subsystem requests"),
          Map.entry(0x23, "CP subsystem requests"),
          Map.entry(0x24, "vector collection requests"),
          Map.entry(0xfd, "Jet requests"),
          Map.entry(0xfe, "Jet requests"));

  private ClosedFamilies() {}

  /** Returns what a message type asks for, in words, with its code. */
  static String describe(int messageType) {
    return NAMES.getOrDefault(
            messageType >>> FAMILY_SHIFT, "a request that this version does not know")
        + String.format(Locale.ROOT, " (message type 0x%06x)", messageType);
  }
}
