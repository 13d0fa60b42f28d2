package io.keyvalueserve.server.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Placement;
import io.keyvalueserve.memory.PoolConfig;
import io.keyvalueserve.memory.Source;
import io.keyvalueserve.memory.TierConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link MemoryPlan}: of a size, which is one tier of anonymous memory, or of tiers. A
 * plan that the process could never fill is a mistake; one that fits only as long as the Java heap
 * stays small is a warning.
 */
final class MemoryReader {
  /** The least bytes of a pool: sixteen pages. */
  static final long LEAST_POOL = 1L << 20;

  /** The most bytes that are taken unasked: who wants more knows of it. */
  private static final long MOST_AUTO = 4L << 30;

  private static final String MAKE_SMALLER =
      "; make it smaller, or the Java heap (KVS_JAVA_OPTS=-Xmx...)";

  /** The least bytes that are of any use. */
  private static final long LEAST_AUTO = 64L << 20;

  private static final String AUTO = "auto";
  private static final String SIZE = "memory.size";
  private static final String TIERS = "memory.tiers";

  private final Room room;
  private final List<String> mistakes;
  private final Map<String, String> pathsByTier = new LinkedHashMap<>();
  private final Map<String, String> pathsByPool = new LinkedHashMap<>();

  /** Notes what is wrong in a list that others write to as well. */
  MemoryReader(Room room, List<String> mistakes) {
    this.room = room;
    this.mistakes = mistakes;
  }

  /**
   * Reads it.
   *
   * @param size the text of {@code memory.size}
   * @param tiers the value of {@code memory.tiers}
   * @return the plan; null if it has mistakes
   */
  @Nullable MemoryPlan read(String size, JsonNode tiers) {
    if (tiers.isNull()) {
      return ofSize(size);
    }
    if (!size.equals(AUTO)) {
      mistakes.add(
          SIZE
              + ": cannot be given beside "
              + TIERS
              + ", whose pools have sizes of their own: leave one of them out");
    }
    List<TierConfig> read = tiers(tiers);
    return read == null ? null : checked(TIERS, new HeapConfig(read), "as configured");
  }

  private @Nullable MemoryPlan ofSize(String size) {
    if (Setting.MEMORY_SIZE.mistakeIn(size).isPresent()) {
      return null; // noted already
    }
    if (size.equals(AUTO)) {
      return auto();
    }
    long bytes = bytes(SIZE, size);
    return bytes < 0 ? null : checked(SIZE, dram(bytes), "as configured");
  }

  /**
   * Returns the plan for a server whose memory is not configured: half of what is left, within
   * bounds, or the upper bound if the room is not known.
   */
  private @Nullable MemoryPlan auto() {
    if (!room.isKnown()) {
      return new MemoryPlan(dram(MOST_AUTO), "nobody says how much memory there is", List.of());
    }
    long half = Math.max(LEAST_AUTO, Math.min(MOST_AUTO, room.leftBytes() / 2));
    long whole = half / LEAST_POOL * LEAST_POOL;
    String origin =
        "half of what the Java heap leaves of "
            + room.limitText()
            + ", "
            + Sizes.text(MOST_AUTO)
            + " at most";
    return planOf(SIZE, dram(whole), origin);
  }

  private HeapConfig dram(long bytes) {
    Source source =
        room.transparentHugePages() ? new Source.TransparentHugePages() : new Source.Dram();
    return HeapConfig.of(new PoolConfig("dram", source, bytes, false));
  }

  /** Holds what somebody has asked for against what the process may have. */
  private @Nullable MemoryPlan checked(String path, HeapConfig heap, String origin) {
    MemoryPlan plan = planOf(path, heap, origin);
    if (plan == null || !room.isKnown() || heap.chargedBytes() <= room.mostBytes()) {
      return plan;
    }
    mistakes.add(
        tooMuch(path, heap, Room.LEAST_BESIDE_HEAP_BYTES, "that the JVM takes at least")
            + ": the system would end the process when they are used"
            + MAKE_SMALLER);
    return null;
  }

  private String tooMuch(String path, HeapConfig heap, long beside, String what) {
    return path
        + ": "
        + Sizes.text(heap.chargedBytes())
        + " for entries, a Java heap of up to "
        + Sizes.text(room.javaHeapBytes())
        + " and "
        + Sizes.text(beside)
        + " "
        + what
        + " are more than "
        + room.limitText();
  }

  /** Warns of a plan that may be too large. */
  private @Nullable MemoryPlan planOf(String path, HeapConfig heap, String origin) {
    long charged = heap.chargedBytes();
    if (charged > room.limit().bytes()) {
      mistakes.add(
          path
              + ": "
              + Sizes.text(charged)
              + " are more than this process may use: "
              + room.limitText()
              + "; make it smaller");
      return null;
    }
    List<String> warnings = new ArrayList<>();
    if (room.isKnown() && charged > room.leftBytes()) {
      warnings.add(
          tooMuch(path, heap, Room.BESIDE_HEAP_BYTES, "for the JVM and connections")
              + " if all of it is used: the system may end the process then"
              + MAKE_SMALLER);
    }
    return new MemoryPlan(heap, origin, warnings);
  }

  // ---- tiers and pools

  private @Nullable List<TierConfig> tiers(JsonNode list) {
    int before = mistakes.size();
    List<TierConfig> tiers = new ArrayList<>();
    List<Fields> all =
        Fields.list(TIERS, list, mistakes, "write '- name: NAME' lines, or leave it out");
    for (int i = 0; i < all.size(); i++) {
      TierConfig tier = tier(all.get(i), "tier" + (i + 1));
      if (tier != null) {
        tiers.add(tier);
      }
    }
    return mistakes.size() == before ? tiers : null;
  }

  private @Nullable TierConfig tier(Fields fields, String defaultName) {
    String name = uniqueName(fields, defaultName, pathsByTier);
    String placement =
        fields.text("placement", "round-robin", Values.oneOf("round-robin", "local"));
    List<PoolConfig> pools = new ArrayList<>();
    List<Fields> all = fields.list("pools", "write '- kind: dram' and 'size: 4g' lines");
    for (int i = 0; i < all.size(); i++) {
      PoolConfig pool = pool(all.get(i), name + "-" + (i + 1));
      if (pool != null) {
        pools.add(pool);
      }
    }
    fields.rejectOthers("");
    return pools.isEmpty()
        ? null
        : new TierConfig(name, constant(Placement.class, placement), pools);
  }

  private @Nullable PoolConfig pool(Fields fields, String defaultName) {
    int before = mistakes.size();
    String name = uniqueName(fields, defaultName, pathsByPool);
    String kind =
        fields.required("kind", "", Values.oneOf(PoolKinds.NAMES), "name one of " + PoolKinds.LIST);
    String size =
        fields.required(
            "size", "", Values.poolSize(LEAST_POOL), "write for example 4g, 512m or 25%");
    boolean preTouch = fields.text("pretouch", "false", Values.flag()).equals("true");
    if (kind.isEmpty()) {
      return null; // without it nobody knows which other settings are right
    }
    Source source = PoolKinds.source(kind, fields);
    fields.rejectOthers(" for the kind " + kind);
    if (source == null || mistakes.size() > before) {
      return null;
    }
    if (Values.parsePercent(size) > 0 && !source.chargedToProcess()) {
      fields.mistake(
          "size", "'" + size + "' says nothing for the kind " + kind + ": write bytes, as in 64g");
      return null;
    }
    long bytes = bytes(fields.path() + ".size", size);
    if (source instanceof Source.HugePages(long pageBytes) && bytes % pageBytes != 0) {
      fields.mistake(
          "size", "'" + size + "' is not a whole number of pages of " + Sizes.text(pageBytes));
      return null;
    }
    return bytes < 0 ? null : new PoolConfig(name, source, bytes, preTouch);
  }

  private String uniqueName(Fields fields, String defaultName, Map<String, String> paths) {
    String name = fields.text("name", defaultName, Values.label());
    String other = paths.putIfAbsent(name, fields.path());
    if (other != null) {
      fields.mistake("name", "'" + name + "' is the name of " + other + " too: rename one");
    }
    return name;
  }

  /** The bytes of a size that is well formed; -1, and a mistake is noted, if it has none. */
  private long bytes(String path, String size) {
    int percent = Values.parsePercent(size);
    if (percent < 0) {
      return Values.parseBytes(size);
    }
    if (!room.isKnown()) {
      mistakes.add(
          path
              + ": '"
              + size
              + "' of what? This machine does not say how much memory it has: write bytes");
      return -1;
    }
    return Math.max(LEAST_POOL, room.limit().bytes() / 100 * percent / LEAST_POOL * LEAST_POOL);
  }

  static <E extends Enum<E>> E constant(Class<E> type, String text) {
    return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
