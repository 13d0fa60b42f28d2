package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads what can still be read of frames that are not as they were written. A gap between valid
 * frames is taken apart as if its headers were right; if they do not lead to its end exactly, or
 * name what there cannot be, nothing is known of it.
 *
 * @param records those whose keys could be read
 * @param unknown how many damaged places there are of which it is not known what was in them
 */
public record DamagedRecords(List<DamagedRecord> records, int unknown) {
  private static final long MOST_BYTES = 64 << 20;

  static DamagedRecords of(Disk disk, MapNames names, List<Damage> damage) {
    List<DamagedRecord> records = new ArrayList<>();
    int unknown = 0;
    for (Damage each : damage) {
      if (each.mayMissRecords()) {
        boolean known = each.kind() == Damage.Kind.BAD_FRAMES && read(disk, names, each, records);
        unknown += known ? 0 : 1;
      }
    }
    return new DamagedRecords(List.copyOf(records), unknown);
  }

  private static boolean read(Disk disk, MapNames names, Damage gap, List<DamagedRecord> records) {
    String name = gap.file().substring(gap.file().lastIndexOf('/') + 1);
    OptionalLong chunk = LogFiles.chunkOf(name);
    if (chunk.isEmpty() || gap.bytes() > MOST_BYTES) {
      return false;
    }
    int bytes = (int) gap.bytes();
    try (ChunkFile file = ChunkFile.open(disk, chunk.getAsLong());
        AlignedMemory memory = file.part(gap.offset(), bytes)) {
      return memory != null
          && parse(
              memory.address() + ChunkFile.skipped(gap.offset()),
              bytes,
              Position.of(chunk.getAsLong(), gap.offset()),
              names,
              records);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean parse(
      long address, int bytes, long position, MapNames names, List<DamagedRecord> records) {
    List<DamagedRecord> found = new ArrayList<>();
    for (int at = 0; at < bytes; ) {
      long frame = address + at;
      int left = bytes - at;
      int length = left < Frames.HEADER_BYTES ? 0 : Frames.length(frame);
      if (length < Frames.HEADER_BYTES || length > left || Frames.space(frame) > left) {
        return false;
      }
      int type = Frames.type(frame);
      if (type == Frames.PUT || type == Frames.REMOVE) {
        String map = Frames.isMeaningful(frame, type) ? names.name(Frames.map(frame)) : "";
        if (map.isEmpty() || Frames.isBlob(frame)) {
          return false;
        }
        byte[] key = new byte[Frames.keyLength(frame)];
        Memory.copy(frame + Frames.HEADER_BYTES + Frames.keyOffset(frame), key, 0, key.length);
        found.add(
            new DamagedRecord(
                Frames.partition(frame),
                map,
                key,
                Frames.flags(frame) & Frames.MOST_KEY_FORM,
                position + at));
      } else if (!Frames.isFiller(type)) {
        return false; // what ends a map's part concerns many keys
      }
      at += Frames.space(frame);
    }
    records.addAll(found);
    return true;
  }
}
