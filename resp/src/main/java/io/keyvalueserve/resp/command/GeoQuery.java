package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.geo.GeoArea;
import io.keyvalueserve.resp.geo.GeoPosition;
import io.keyvalueserve.resp.protocol.Request;
import org.jspecify.annotations.Nullable;

/** A request of the GEOSEARCH and the GEORADIUS family. Read once; then immutable. */
final class GeoQuery {
  /** The commands, which have their arguments in different orders. */
  enum Form {
    /** GEOSEARCH and GEOSEARCHSTORE: what is searched is said by options. */
    SEARCH,
    /** GEORADIUS: around coordinates. */
    RADIUS,
    /** GEORADIUSBYMEMBER. */
    RADIUS_BY_MEMBER
  }

  /** The order of the answers. */
  enum Order {
    NONE,
    NEAREST_FIRST,
    FARTHEST_FIRST
  }

  private final byte[] key;
  private byte @Nullable [] target;
  private byte @Nullable [] member;
  private @Nullable GeoPosition center;
  private @Nullable CommandException radiusError;
  private @Nullable CommandException errorIfMissing;
  private boolean isBox;
  private double width;
  private double height;
  private double unitMeters = 1;
  private boolean withDistances;
  private boolean withHashes;
  private boolean withCoordinates;
  private boolean storesDistances;
  private Order order = Order.NONE;
  private long count;
  private boolean any;

  private GeoQuery(byte[] key) {
    this.key = key;
  }

  /**
   * Reads a request.
   *
   * @param keyIndex the index of the key that is searched
   * @param mayStore whether options may name a key for the result; GEOSEARCHSTORE has it before the
   *     key that is searched
   * @throws CommandException if it is not what the command takes
   */
  static GeoQuery of(Request request, Form form, int keyIndex, boolean mayStore) {
    GeoQuery query = new GeoQuery(request.argument(keyIndex));
    if (keyIndex > 1) {
      query.target = request.argument(1);
    }
    switch (form) {
      case RADIUS -> {
        query.center = GeoUnits.position(request, 2);
        query.readRadius(request, 4);
        query.readOptions(request, form, 6, mayStore);
      }
      case RADIUS_BY_MEMBER -> {
        query.member = request.argument(2);
        query.readAroundMember(request, mayStore);
      }
      case SEARCH -> query.readOptions(request, form, keyIndex + 1, mayStore);
    }
    return query;
  }

  /** Redis looks at the radius if the key exists, and before it looks at the options. */
  private void readAroundMember(Request request, boolean mayStore) {
    try {
      readRadius(request, 3);
    } catch (CommandException e) {
      radiusError = e;
    }
    try {
      readOptions(request, Form.RADIUS_BY_MEMBER, 5, mayStore);
    } catch (CommandException e) {
      if (radiusError == null) {
        throw e;
      }
      errorIfMissing = e;
    }
  }

  private void readRadius(Request request, int index) {
    width = GeoUnits.radius(request, index);
    unitMeters = GeoUnits.unit(request, index + 1);
  }

  private void readOptions(Request request, Form form, int first, boolean mayStore) {
    boolean isSearch = form == Form.SEARCH;
    boolean hasRadius = false;
    int end = request.count();
    for (int i = first; i < end; i++) {
      if (readFlag(request, i)) {
        continue;
      }
      if (request.is(i, "COUNT") && i + 1 < end) {
        count = Parsing.integer(request, ++i);
        if (count <= 0) {
          throw new CommandException("ERR COUNT must be > 0");
        }
      } else if (!isSearch && mayStore && request.is(i, "STORE") && i + 1 < end) {
        target = request.argument(++i);
        storesDistances = false;
      } else if (!isSearch && mayStore && request.is(i, "STOREDIST") && i + 1 < end) {
        target = request.argument(++i);
        storesDistances = true;
      } else if (isSearch && mayStore && request.is(i, "STOREDIST")) {
        storesDistances = true;
      } else if (isSearch && center == null && request.is(i, "FROMMEMBER") && i + 1 < end) {
        member = request.argument(++i);
      } else if (isSearch && member == null && request.is(i, "FROMLONLAT") && i + 2 < end) {
        center = GeoUnits.position(request, i + 1);
        i += 2;
      } else if (isSearch && !isBox && request.is(i, "BYRADIUS") && i + 2 < end) {
        readRadius(request, i + 1);
        hasRadius = true;
        i += 2;
      } else if (isSearch && !hasRadius && request.is(i, "BYBOX") && i + 3 < end) {
        readBox(request, i + 1);
        i += 3;
      } else {
        throw Parsing.syntaxError();
      }
    }
    check(request, isSearch, hasRadius);
    if (count > 0 && order == Order.NONE && !any) {
      order = Order.NEAREST_FIRST;
    }
  }

  private boolean readFlag(Request request, int index) {
    if (request.is(index, "WITHDIST")) {
      withDistances = true;
    } else if (request.is(index, "WITHHASH")) {
      withHashes = true;
    } else if (request.is(index, "WITHCOORD")) {
      withCoordinates = true;
    } else if (request.is(index, "ANY")) {
      any = true;
    } else if (request.is(index, "ASC")) {
      order = Order.NEAREST_FIRST;
    } else if (request.is(index, "DESC")) {
      order = Order.FARTHEST_FIRST;
    } else {
      return false;
    }
    return true;
  }

  private void readBox(Request request, int index) {
    width = GeoUnits.length(request, index, "width");
    height = GeoUnits.length(request, index + 1, "height");
    if (width < 0 || height < 0) {
      throw new CommandException("ERR height or width cannot be negative");
    }
    unitMeters = GeoUnits.unit(request, index + 2);
    isBox = true;
  }

  private void check(Request request, boolean isSearch, boolean hasRadius) {
    if (target != null && hasParts()) {
      throw new CommandException(
          "ERR "
              + (isSearch ? "GEOSEARCHSTORE" : "STORE option in GEORADIUS")
              + " is not compatible with WITHDIST, WITHHASH and WITHCOORD options");
    }
    if (isSearch && member == null && center == null) {
      throw new CommandException(
          "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for " + name(request));
    }
    if (isSearch && !hasRadius && !isBox) {
      throw new CommandException(
          "ERR exactly one of BYRADIUS and BYBOX can be specified for " + name(request));
    }
    if (any && count == 0) {
      throw new CommandException("ERR the ANY argument requires COUNT argument");
    }
  }

  private static String name(Request request) {
    return request.latin(0);
  }

  byte[] key() {
    return key;
  }

  /** Returns the key that the result is stored under; null if it is answered. */
  byte @Nullable [] target() {
    return target;
  }

  boolean storesDistances() {
    return storesDistances;
  }

  /** Returns the member that is searched around; null if it is coordinates. */
  byte @Nullable [] member() {
    return member;
  }

  /** Returns the coordinates that are searched around; null if it is a member. */
  @Nullable GeoPosition center() {
    return center;
  }

  /** Returns the area around a position. */
  GeoArea area(GeoPosition around) {
    CommandException error = radiusError;
    if (error != null) {
      throw error;
    }
    return isBox
        ? GeoArea.box(around, width, height, unitMeters)
        : GeoArea.circle(around, width, unitMeters);
  }

  /**
   * Accepts that the key does not exist.
   *
   * @throws CommandException if the request is none that Redis takes then
   */
  void acceptMissing() {
    CommandException error = errorIfMissing;
    if (error != null) {
      throw error;
    }
  }

  double unitMeters() {
    return unitMeters;
  }

  boolean withDistances() {
    return withDistances;
  }

  boolean withHashes() {
    return withHashes;
  }

  boolean withCoordinates() {
    return withCoordinates;
  }

  /** Returns whether an answer has more than the member. */
  boolean hasParts() {
    return withDistances || withHashes || withCoordinates;
  }

  Order order() {
    return order;
  }

  /** Returns how many answers there are at most. */
  long most() {
    return count == 0 ? Long.MAX_VALUE : count;
  }

  /** Returns how many members to find at most: the search may end with them. */
  long mostFound() {
    return any ? count : Long.MAX_VALUE;
  }
}
