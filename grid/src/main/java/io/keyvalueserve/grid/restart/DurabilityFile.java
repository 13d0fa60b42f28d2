package io.keyvalueserve.grid.restart;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The maps whose durability is their own, in a file of the member: what its log has of a map is
 * read before the cluster's settings can be.
 */
final class DurabilityFile {
  private static final int MAGIC = 0x4B56_534D; // KVSM

  private final AtomicFile file;

  DurabilityFile(Path directory) {
    file = new AtomicFile(directory, "durability", MAGIC);
  }

  /**
   * Returns the last maps that were written; none if nothing was.
   *
   * @throws IOException if it cannot be read or is damaged; the message names the file
   */
  Map<String, Durability> read() throws IOException {
    Map<String, Durability> maps = new TreeMap<>();
    byte[] bytes = file.read().orElse(new byte[Integer.BYTES]);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int left = in.readInt(); left > 0; left--) {
        String map = in.readUTF();
        Durability _ = maps.put(map, Durability.ofCode(in.readByte()));
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage() + ": file=" + file, e);
    }
    return maps;
  }

  /** Replaces it, and returns when that is certain. */
  void write(Map<String, Durability> maps) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(maps.size());
    for (Map.Entry<String, Durability> map : maps.entrySet()) {
      out.writeUTF(map.getKey());
      out.writeByte(map.getValue().code());
    }
    file.write(bytes.toByteArray());
  }
}
