package io.keyvalueserve.maps;

/**
 * The uses of entries since the member has them. The counts are approximate: of two uses at once
 * one may be lost.
 *
 * @param all reads and writes: 0 or more
 * @param again uses of entries that were there, of each entry one a second: 0 or more
 */
public record EntryUses(long all, long again) {
  /** The uses of no entries. */
  public static final EntryUses NONE = new EntryUses(0, 0);

  EntryUses plus(EntryUses more) {
    return new EntryUses(all + more.all, again + more.again);
  }
}
