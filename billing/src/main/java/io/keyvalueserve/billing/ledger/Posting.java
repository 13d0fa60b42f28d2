package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;

/** The content of a ledger entry. */
public sealed interface Posting {
  /** Something was used. */
  record Usage(UsageEvent event) implements Posting {}

  /**
   * A correction of an earlier entry. The earlier entry stays as it is, and both are counted.
   *
   * @param id tells this correction from others, so that it is made once
   * @param entry the number of the entry that it corrects, which is one of usage
   * @param changes what to add to its quantities, or with a negative number to take off; none is 0,
   *     and there is at least one
   * @param reason for people: 1 to {@value #MOST_REASON_CHARACTERS} characters
   */
  record Correction(UUID id, long entry, Map<Measure, Long> changes, String reason)
      implements Posting {
    /** Characters of a reason at most. */
    public static final int MOST_REASON_CHARACTERS = 500;

    /**
     * @throws IllegalArgumentException if a field is out of its range; the message names it
     */
    public Correction {
      require(entry >= 0, "entry is 0 or more: " + entry);
      EnumMap<Measure, Long> copy = new EnumMap<>(Measure.class);
      copy.putAll(changes);
      changes = Collections.unmodifiableMap(copy);
      require(
          !changes.isEmpty() && !changes.containsValue(0L),
          "changes name at least one measure, and none with 0: " + changes);
      require(
          !changes.containsValue(Long.MIN_VALUE), "changes are -(2^63 - 1) or more: " + changes);
      require(
          !reason.isBlank() && reason.length() <= MOST_REASON_CHARACTERS,
          "reason has 1 to " + MOST_REASON_CHARACTERS + " characters: " + reason.length());
      require(
          StandardCharsets.UTF_8.newEncoder().canEncode(reason),
          "reason is well-formed text, without half characters");
    }

    private static void require(boolean holds, String message) {
      if (!holds) {
        throw new IllegalArgumentException(message);
      }
    }
  }
}
