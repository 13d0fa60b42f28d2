package io.keyvalueserve.snapshots;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The form of a manifest's object.
 *
 * <pre>
 *   kvs-snapshot 1           the form
 *   {"format":1,"id":...}    the header, readable without the key
 *   sealed bytes             the whole manifest: JSON, deflated, sealed
 * </pre>
 *
 * The header is authenticated with the sealed bytes, so a changed header is found out when the
 * manifest is read with the key.
 */
public final class ManifestCodec {
  /** The most bytes before the sealed ones. */
  static final int LARGEST_HEADER = 16 << 10;

  private static final int LARGEST_BODY = 192 << 20;
  private static final String MAGIC_WORD = "kvs-snapshot ";
  private static final byte[] MAGIC = (MAGIC_WORD + "1\n").getBytes(StandardCharsets.US_ASCII);

  private ManifestCodec() {}

  /** Returns the name of a snapshot's object. */
  public static String objectName(UUID keyId, String id) {
    return keyId + "/snapshots/" + Manifest.checkId(id);
  }

  /**
   * Encodes a manifest.
   *
   * @throws SnapshotException if the key is not the manifest's, or the manifest is too large
   */
  public static byte[] encode(Manifest manifest, TenantKey key) {
    if (!manifest.keyId().equals(key.id())) {
      throw new SnapshotException(
          SnapshotException.Kind.OTHER_KEY,
          "the manifest is of the key " + manifest.keyId() + ", not of " + key.id());
    }
    byte[] header = header(manifest);
    byte[] body = body(manifest);
    if (header.length > LARGEST_HEADER - MAGIC.length - 1 || body.length > LARGEST_BODY) {
      throw new SnapshotException(
          SnapshotException.Kind.TOO_LARGE,
          "the manifest is too large: write larger chunks, or shorter names");
    }
    byte[] sealed =
        Sealed.seal(key, objectName(key.id(), manifest.id()), header, Deflated.pack(body));
    byte[] object =
        Arrays.copyOf(MAGIC, Math.addExact(MAGIC.length + header.length + 1, sealed.length));
    System.arraycopy(header, 0, object, MAGIC.length, header.length);
    object[MAGIC.length + header.length] = '\n';
    System.arraycopy(sealed, 0, object, MAGIC.length + header.length + 1, sealed.length);
    return object;
  }

  private static byte[] header(Manifest manifest) {
    return json(
        json -> {
          json.writeStartObject();
          identity(json, manifest);
          json.writeEndObject();
        });
  }

  private static byte[] body(Manifest manifest) {
    return json(
        json -> {
          json.writeStartObject();
          identity(json, manifest);
          json.writeNumberField("startedMillis", manifest.startedMillis());
          json.writeNumberField("finishedMillis", manifest.finishedMillis());
          json.writeNumberField("partitions", manifest.partitions());
          json.writeNumberField("tableStamp", manifest.tableStamp());
          json.writeNumberField("clockDifferenceMillis", manifest.clockDifferenceMillis());
          json.writeStringField("kvsVersion", manifest.kvsVersion());
          json.writeArrayFieldStart("maps");
          for (Manifest.MapPart map : manifest.maps()) {
            map(json, map);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void identity(JsonGenerator json, Manifest manifest) throws IOException {
    json.writeNumberField("format", manifest.format());
    json.writeStringField("id", manifest.id());
    json.writeStringField("keyId", manifest.keyId().toString());
    json.writeStringField("tenant", manifest.tenant());
    json.writeStringField("cluster", manifest.cluster());
    json.writeNumberField("cutMillis", manifest.cutMillis());
    json.writeNumberField("entries", manifest.totals().entries());
    json.writeNumberField("rawBytes", manifest.totals().rawBytes());
    json.writeNumberField("storedBytes", manifest.totals().storedBytes());
    json.writeNumberField("newBytes", manifest.totals().newBytes());
  }

  private static void map(JsonGenerator json, Manifest.MapPart map) throws IOException {
    json.writeStartObject();
    json.writeStringField("map", map.map());
    json.writeStringField("settings", map.settingsJson());
    json.writeArrayFieldStart("chunks");
    for (Manifest.Chunk chunk : map.chunks()) {
      json.writeStartObject();
      json.writeStringField("name", chunk.name());
      json.writeNumberField("changes", chunk.changes() ? 1 : 0);
      json.writeNumberField("from", chunk.fromPartition());
      json.writeNumberField("to", chunk.toPartition());
      json.writeNumberField("entries", chunk.entries());
      json.writeNumberField("bytes", chunk.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  @FunctionalInterface
  private interface Content {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private static byte[] json(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonTree.FACTORY.createGenerator(bytes)) {
      content.writeTo(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes a manifest.
   *
   * @param name the object's name
   * @throws SnapshotException of kind {@code OTHER_FORMAT}, {@code OTHER_KEY} or {@code DAMAGED}
   */
  public static Manifest decode(String name, byte[] object, TenantKey key) {
    int headerEnd = headerEnd(name, object);
    byte[] header = Arrays.copyOfRange(object, MAGIC.length, headerEnd);
    byte[] packed = Sealed.open(key, name, header, object, headerEnd + 1);
    byte[] body = Deflated.unpack(name, packed, LARGEST_BODY);
    JsonTree json = JsonTree.parse(name, body, 0, body.length);
    Manifest.Header facts = facts(name, json);
    List<Manifest.MapPart> maps = new ArrayList<>();
    for (JsonTree map : json.objects("maps")) {
      List<Manifest.Chunk> chunks = new ArrayList<>();
      for (JsonTree chunk : map.objects("chunks")) {
        chunks.add(
            new Manifest.Chunk(
                chunk.text("name"),
                chunk.small("changes") != 0,
                chunk.small("from"),
                chunk.small("to"),
                chunk.small("entries"),
                chunk.number("bytes")));
      }
      maps.add(new Manifest.MapPart(map.text("map"), map.text("settings"), chunks));
    }
    return new Manifest(
        facts.format(),
        facts.id(),
        facts.keyId(),
        facts.tenant(),
        facts.cluster(),
        facts.cutMillis(),
        json.number("startedMillis"),
        json.number("finishedMillis"),
        json.small("partitions"),
        json.number("tableStamp"),
        json.number("clockDifferenceMillis"),
        json.text("kvsVersion"),
        facts.totals(),
        maps);
  }

  /**
   * Decodes the header. It is not authenticated.
   *
   * @param name the object's name
   * @param start the object, or at least its first {@link #LARGEST_HEADER} bytes
   * @throws SnapshotException of kind {@code OTHER_FORMAT} or {@code DAMAGED}
   */
  public static Manifest.Header decodeHeader(String name, byte[] start) {
    int headerEnd = headerEnd(name, start);
    return facts(name, JsonTree.parse(name, start, MAGIC.length, headerEnd - MAGIC.length));
  }

  private static Manifest.Header facts(String name, JsonTree json) {
    Manifest.Header facts =
        new Manifest.Header(
            json.small("format"),
            json.text("id"),
            json.id("keyId"),
            json.text("tenant"),
            json.text("cluster"),
            json.number("cutMillis"),
            new Manifest.Totals(
                json.number("entries"),
                json.number("rawBytes"),
                json.number("storedBytes"),
                json.number("newBytes")),
            null);
    if (!name.equals(facts.keyId() + "/snapshots/" + facts.id())) {
      throw SnapshotException.damaged(
          name + " has the header of another snapshot: use another snapshot");
    }
    return facts;
  }

  private static int headerEnd(String name, byte[] object) {
    if (!Arrays.equals(object, 0, Math.min(object.length, MAGIC.length), MAGIC, 0, MAGIC.length)) {
      String start =
          new String(
              object, 0, Math.min(object.length, MAGIC_WORD.length()), StandardCharsets.ISO_8859_1);
      throw start.equals(MAGIC_WORD) && object.length > MAGIC.length
          ? new SnapshotException(
              SnapshotException.Kind.OTHER_FORMAT,
              name + " has a form that is not known here: use a newer version")
          : SnapshotException.damaged(name + " is no snapshot: use another snapshot");
    }
    int limit = Math.min(object.length, LARGEST_HEADER);
    for (int i = MAGIC.length; i < limit; i++) {
      if (object[i] == '\n') {
        return i;
      }
    }
    throw SnapshotException.damaged(name + " has no whole header: use another snapshot");
  }
}
