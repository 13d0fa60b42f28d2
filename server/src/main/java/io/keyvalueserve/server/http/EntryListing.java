package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.ScanPage;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.CollectionType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Lists keys page by page, as {@link KeyMap#scan} gives them. */
final class EntryListing {
  private static final String CURSOR = "cursor";
  private static final String LIMIT = "limit";
  private static final int USUAL_KEYS = 100;
  private static final int MOST_KEYS = 1_000;

  /** The most pages of the engine that one answer may take, where few keys have the prefix. */
  private static final int MOST_PAGES = 100;

  private final EntryServices services;

  EntryListing(EntryServices services) {
    this.services = services;
  }

  void list(ServerRequest request, ServerResponse response) {
    EntryPath path = EntryPath.of(request);
    boolean isBase64 = EntryPath.isBase64(request);
    int limit = (int) number(request, LIMIT, USUAL_KEYS, 1, MOST_KEYS);
    long cursor = number(request, CURSOR, 0, 0, Long.MAX_VALUE);
    GlobPattern match =
        request.query().contains("prefix")
            ? beginningWith(EntryPath.key(request.query().get("prefix"), isBase64))
            : GlobPattern.ANY;
    EntrySession session = EntrySession.of(services, request, response, path.map());
    session.admit(Measure.QUERIES, 1, 0);
    KeyMap map = session.map();
    List<byte[]> keys = new ArrayList<>();
    int pages = 0;
    do {
      ScanPage page = session.await(map.scan(cursor, limit - keys.size(), match));
      keys.addAll(page.keys());
      cursor = page.cursor();
      pages++;
    } while (cursor != 0 && keys.size() < limit && pages < MOST_PAGES);
    ObjectNode body = HttpDoor.object();
    ArrayNode entries = body.putArray("entries");
    describe(session, map, keys, isBase64, entries);
    if (cursor != 0) {
      body.put(CURSOR, String.valueOf(cursor));
    }
    session.answer(response, body);
  }

  private void describe(
      EntrySession session, KeyMap map, List<byte[]> keys, boolean isBase64, ArrayNode entries) {
    List<KeyCommand> probes = new ArrayList<>();
    keys.forEach(key -> probes.add(new KeyCommand.Probe(key, false)));
    List<Outcome> outcomes = session.run(map, probes);
    long now = services.clock().millis();
    for (int i = 0; i < keys.size(); i++) {
      if (outcomes.get(i)
          instanceof Outcome.Info(int length, long expireAt, CollectionType collection)) {
        ObjectNode entry = entries.addObject();
        putKey(entry, keys.get(i), isBase64);
        entry.put(
            "kind", collection != null ? collection.word() : length < 0 ? "object" : "string");
        if (length >= 0) {
          entry.put("size", length);
        }
        if (expireAt != Expiry.NONE) {
          entry.put("ttlMillis", TimeToLive.left(expireAt, now));
        }
      }
    }
  }

  /** Puts a key as text if it is some and that is wanted, else in base64url, and says so. */
  private static void putKey(ObjectNode entry, byte[] key, boolean isBase64) {
    String text = isBase64 ? null : EntryPath.utf8(key);
    if (text != null) {
      entry.put("key", text);
    } else {
      entry
          .put("key", Base64.getUrlEncoder().withoutPadding().encodeToString(key))
          .put(EntryPath.ENCODING, EntryPath.BASE64URL);
    }
  }

  private static GlobPattern beginningWith(byte[] prefix) {
    ByteArrayOutputStream pattern = new ByteArrayOutputStream(2 * prefix.length + 1);
    for (byte b : prefix) {
      pattern.write('\\');
      pattern.write(b);
    }
    pattern.writeBytes("*".getBytes(StandardCharsets.US_ASCII));
    return new GlobPattern(pattern.toByteArray());
  }

  private static long number(
      ServerRequest request, String name, long usual, long least, long most) {
    if (!request.query().contains(name)) {
      return usual;
    }
    String text = request.query().get(name);
    long number = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    if (number < least || number > most) {
      throw new HttpErrors.BadRequest(
          name,
          name.equals(CURSOR)
              ? "'cursor' is what the page before has said; leave it out to begin"
              : "'" + name + "' is a number from " + least + " to " + most);
    }
    return number;
  }
}
