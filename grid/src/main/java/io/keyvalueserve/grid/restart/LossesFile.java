package io.keyvalueserve.grid.restart;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A file of the member that says what was lost until an operator has taken note of it, and whether
 * the log was gone at a start and its copies are not all made anew yet. Thread-safe.
 */
final class LossesFile {
  private static final int MAGIC = 0x4B56_534C; // KVSL

  private final AtomicFile file;
  private boolean known;
  private boolean logGone;
  private Losses losses = Losses.NONE;

  LossesFile(Path directory) {
    file = new AtomicFile(directory, "losses", MAGIC);
  }

  /** Returns whether the log was gone, and its data have not come from other members yet. */
  synchronized boolean isLogGone() throws IOException {
    read();
    return logGone;
  }

  /** Returns when it is certain. */
  synchronized void setLogGone(boolean gone) throws IOException {
    read();
    if (logGone != gone) {
      write(gone, losses);
    }
  }

  /** Returns the losses that no operator has taken note of; none before the file was first read. */
  synchronized Losses losses() {
    return losses;
  }

  /** Adds to what is lost, and returns when that is certain. */
  synchronized void add(Losses more) throws IOException {
    read();
    if (!more.isEmpty()) {
      write(logGone, losses.and(more));
    }
  }

  /** Somebody has taken note of what is lost: returns that, when it is certain. */
  synchronized Losses acknowledge() throws IOException {
    read();
    Losses before = losses;
    if (!before.isEmpty()) {
      write(logGone, Losses.NONE);
    }
    return before;
  }

  private void read() throws IOException {
    if (known) {
      return;
    }
    byte[] bytes = file.read().orElse(new byte[0]);
    if (bytes.length > 0) {
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
        boolean gone = in.readBoolean();
        long places = in.readLong();
        SortedMap<String, Long> records = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
          String map = in.readUTF();
          Long _ = records.put(map, in.readLong());
        }
        SortedSet<Integer> partitions = new TreeSet<>();
        for (int left = in.readInt(); left > 0; left--) {
          boolean _ = partitions.add(in.readInt());
        }
        losses = new Losses(records, partitions, places);
        logGone = gone;
      }
    }
    known = true;
  }

  private void write(boolean gone, Losses all) throws IOException {
    if (!gone && all.isEmpty()) {
      file.delete();
    } else {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeBoolean(gone);
      out.writeLong(all.places());
      out.writeInt(all.records().size());
      for (var each : all.records().entrySet()) {
        out.writeUTF(each.getKey());
        out.writeLong(each.getValue());
      }
      out.writeInt(all.partitions().size());
      for (int partition : all.partitions()) {
        out.writeInt(partition);
      }
      file.write(bytes.toByteArray());
    }
    logGone = gone;
    losses = all;
  }
}
