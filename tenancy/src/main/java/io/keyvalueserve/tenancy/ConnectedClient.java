package io.keyvalueserve.tenancy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The facts that a tenant may know about one of its connections. Holds no key. The texts that the
 * client chose itself are cut at 256 characters.
 *
 * @param door the door that it came through
 * @param address where it connects from, {@code HOST:PORT}
 * @param name what it calls itself; may be empty
 * @param library its client library; empty if it does not say
 * @param map the map that it has selected, {@code OWNER/MAP} for one of another tenant; empty if it
 *     selects none
 * @param since when it connected, to the second
 * @param lastCommand the command that it sent last; empty if that is not noted
 */
public record ConnectedClient(
    Door door,
    String address,
    String name,
    String library,
    String map,
    Instant since,
    String lastCommand) {
  private static final int MOST_CHARACTERS = 256;

  public ConnectedClient {
    name = cut(name);
    library = cut(library);
    since = since.truncatedTo(ChronoUnit.SECONDS);
  }

  private static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
  }
}
