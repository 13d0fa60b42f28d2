package io.keyvalueserve.cli;

/**
 * The choices of a user of {@code kvs top}.
 *
 * @param showsMembers members if true, else tenants
 * @param tenantSort the column that tenants are sorted by
 * @param memberSort the column that members are sorted by
 * @param isReversed whether the order is the other way round
 * @param isPaused whether figures stand still
 * @param from how many rows are scrolled out of sight at the top
 */
record TopState(
    boolean showsMembers,
    int tenantSort,
    int memberSort,
    boolean isReversed,
    boolean isPaused,
    int from) {
  /** Returns the state at the beginning: busiest tenants first, members by name. */
  static TopState begin(boolean showsMembers) {
    return new TopState(showsMembers, TopTable.TENANTS.usualSort(), 0, false, false, 0);
  }

  /** The table that is shown. */
  TopTable table() {
    return showsMembers ? TopTable.MEMBERS : TopTable.TENANTS;
  }

  /** The column that it is sorted by. */
  int sort() {
    return showsMembers ? memberSort : tenantSort;
  }

  /** Returns the state after a key. */
  TopState after(TopKey key) {
    return switch (key) {
      case QUIT -> this;
      case SWITCH -> new TopState(!showsMembers, tenantSort, memberSort, false, isPaused, 0);
      case PAUSE -> new TopState(showsMembers, tenantSort, memberSort, isReversed, !isPaused, from);
      case REVERSE -> new TopState(showsMembers, tenantSort, memberSort, !isReversed, isPaused, 0);
      case LEFT -> sortedBy(sort() - 1);
      case RIGHT -> sortedBy(sort() + 1);
      case UP -> scrolledTo(Math.max(0, from - 1));
      case DOWN -> scrolledTo(from + 1);
    };
  }

  private TopState sortedBy(int column) {
    int columns = table().columns().size();
    int wrapped = Math.floorMod(column, columns);
    return new TopState(
        showsMembers,
        showsMembers ? tenantSort : wrapped,
        showsMembers ? wrapped : memberSort,
        false,
        isPaused,
        0);
  }

  /** Returns this state with so many rows scrolled out of sight. */
  TopState scrolledTo(int rows) {
    return new TopState(showsMembers, tenantSort, memberSort, isReversed, isPaused, rows);
  }
}
