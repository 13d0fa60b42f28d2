package io.keyvalueserve.grid.settings;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Persistence;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a map's data is kept, from the settings of the map and of its tenant. The meaning of
 * each {@link Persistence} is here, and nowhere else.
 *
 * <p>A map's own word holds before the word of its tenant. The tenant's word does not hold for a
 * map whose own durability, or use of memory, contradicts it.
 *
 * @param word the word that holds; {@link Persistence#DEFAULT} if none does
 * @param source where the word is set
 * @param consent the last word of the tenant for this map; null if it has said nothing
 * @param consentSource where the consent is from; {@link Source#MEMBER} if there is none
 * @param durability null for the members' usual one
 * @param overMemory null for the usual
 */
public record Keeping(
    Persistence word,
    Source source,
    @Nullable Consent consent,
    Source consentSource,
    @Nullable Durability durability,
    @Nullable OverMemory overMemory) {

  /** The places where a setting can be. */
  public enum Source {
    /** The map has it. */
    MAP("map"),
    /** The map's tenant has it, for maps that have none of their own. */
    TENANT("tenant"),
    /** Nothing is set: it is as the members' own options say. */
    MEMBER("member");

    private final String text;

    Source(String text) {
      this.text = text;
    }

    /** Returns the name that answers use. */
    public String text() {
      return text;
    }
  }

  /**
   * Returns what holds for a map.
   *
   * @param map the map's own settings
   * @param tenant the settings of its tenant that hold for all its maps
   */
  public static Keeping of(MapSettings map, MapSettings tenant) {
    Consent consent = Consent.later(map.consent(), tenant.consent());
    Source consentSource =
        consent == null
            ? Source.MEMBER
            : consent.equals(map.consent()) ? Source.MAP : Source.TENANT;
    Persistence word = map.persistence();
    Source source = Source.MAP;
    if (word == Persistence.DEFAULT) {
      word = contradiction(tenant.persistence(), map) == null ? tenant.persistence() : word;
      source = word == Persistence.DEFAULT ? Source.MEMBER : Source.TENANT;
    }
    boolean isOwn = word == Persistence.DEFAULT;
    Persistence meant = effective(word, consent);
    return new Keeping(
        word,
        source,
        consent,
        consentSource,
        isOwn ? map.durability() : durabilityOf(meant),
        isOwn || (meant == Persistence.MEMORY && map.overMemory() == OverMemory.REFUSE)
            ? map.overMemory()
            : overMemoryOf(meant));
  }

  /** Returns the word that is carried out: data without consent is kept in memory alone. */
  public Persistence effective() {
    return effective(word, consent);
  }

  private static Persistence effective(Persistence word, @Nullable Consent consent) {
    return word == Persistence.CONSENTED && (consent == null || !consent.given())
        ? Persistence.MEMORY
        : word;
  }

  /** Returns the durability that a word means; null if it says nothing. */
  public static @Nullable Durability durabilityOf(Persistence word) {
    return switch (word) {
      case DEFAULT -> null;
      case MEMORY, RARELY_USED -> Durability.NONE;
      case CONSENTED -> Durability.EVERYSEC;
      case DURABLE -> Durability.ALWAYS;
    };
  }

  /** Returns what a word means for entries when memory is short; null if it says nothing. */
  public static @Nullable OverMemory overMemoryOf(Persistence word) {
    return switch (word) {
      case DEFAULT -> null;
      case MEMORY -> OverMemory.EVICT;
      case RARELY_USED, CONSENTED, DURABLE -> OverMemory.SPILL;
    };
  }

  /** Returns what the word that is carried out does, in a sentence. */
  public String inWords() {
    String words =
        switch (effective()) {
          case DEFAULT -> "as durability and over memory say";
          case MEMORY ->
              overMemory == OverMemory.REFUSE
                  ? "nothing of it is written to a disk; over its memory writes are refused"
                  : "nothing of it is written to a disk; over its memory entries are deleted";
          case RARELY_USED -> "values that are used least go to the disk; a restart loses the map";
          case CONSENTED ->
              "the restart log has it within a second; values that are used least go to the spill"
                  + " area";
          case DURABLE ->
              "the restart log has each write before it is answered; values that are used least go"
                  + " to the spill area";
        };
    return effective() == word ? words : words + "; the tenant has not consented";
  }

  /** Throws if the settings of one map contradict each other. */
  static void requireConsistent(MapSettings map) {
    String contradiction = contradiction(map.persistence(), map);
    if (contradiction != null) {
      throw new MapSettingsException(
          MapSettingsException.Kind.CONTRADICTION, "persistence", contradiction);
    }
  }

  /** Returns why a word does not go with a map's own settings; null if it does. */
  private static @Nullable String contradiction(Persistence word, MapSettings map) {
    Durability durability = durabilityOf(word);
    if (durability != null && map.durability() != null && map.durability() != durability) {
      return contradiction(word, "durability", map.durability().text(), durability.text());
    }
    OverMemory overMemory = overMemoryOf(word);
    boolean isFree = word == Persistence.MEMORY && map.overMemory() == OverMemory.REFUSE;
    if (overMemory != null
        && map.overMemory() != null
        && map.overMemory() != overMemory
        && !isFree) {
      return contradiction(word, "overMemory", map.overMemory().text(), overMemory.text());
    }
    return null;
  }

  private static String contradiction(Persistence word, String field, String set, String meant) {
    return "persistence '"
        + word.text()
        + "' means "
        + field
        + " '"
        + meant
        + "', and "
        + field
        + " '"
        + set
        + "' is set for the map: set "
        + field
        + " to 'default', or persistence to another word";
  }
}
