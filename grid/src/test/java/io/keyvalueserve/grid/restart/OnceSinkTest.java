package io.keyvalueserve.grid.restart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.HeldKeys;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalConfig;
import io.keyvalueserve.journal.KeysLater;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames of a real log, given again and again until all were taken. */
class OnceSinkTest {
  private static final JournalConfig CONFIG = JournalConfig.of("cluster", "member", 1, 1);
  private static final int PUTS = 200;

  @TempDir private Path directory;

  private final List<Long> appended = new ArrayList<>();

  /** There is no memory for some frames, when they are given first. */
  private static final class Failing extends OnceSink {
    final List<Long> taken = new ArrayList<>();
    private int calls;

    private void note(Frame frame) {
      if (++calls % 17 == 0) {
        throw new IllegalStateException("no memory");
      }
      taken.add(frame.position());
    }

    @Override
    void putOnce(Frame frame) {
      note(frame);
    }

    @Override
    void removeOnce(Frame frame) {
      note(frame);
    }

    @Override
    void clearOnce(Frame frame) {
      note(frame);
    }

    @Override
    void dropOnce(Frame frame) {
      note(frame);
    }
  }

  private void fill() throws IOException {
    try (Journal journal = Journal.open(CONFIG, FileDisk.at(directory), new EmptySink())) {
      int map = journal.map("orders");
      for (int i = 0; i < PUTS; i++) {
        byte[] payload = ("key-" + i % 10 + "-".repeat(200)).getBytes(UTF_8);
        appended.add(
            switch (i % 50) {
              case 20 -> journal.remove(3, map, 1, "key-1".getBytes(UTF_8));
              case 30 -> journal.clear(3, map);
              case 40 -> journal.drop(3);
              default -> journal.put(3, map, 0, 1, payload, 0, 5);
            });
      }
    }
  }

  @Test
  void eachFrameIsTakenOnceAndInOrderHoweverOftenTheyAreGiven() throws IOException {
    fill();
    KeysLater later = new KeysLater(map -> true, 0, Long.MAX_VALUE, Long.MAX_VALUE);
    Failing sink = new Failing();
    int failures = 0;
    try (Journal journal =
        Journal.openKeys(CONFIG, FileDisk.at(directory), new EmptySink(), later)) {
      HeldKeys held = requireNonNull(journal.heldKeys());
      while (!held.partitions().isEmpty()) {
        sink.begin();
        int before = sink.taken.size();
        int calls = sink.calls;
        if ((PUTS - before + calls % 17) >= 17) {
          assertThatThrownBy(() -> held.give(3, sink)).hasMessage("no memory");
          failures++;
        } else {
          held.give(3, sink);
        }
      }
    }
    assertThat(sink.taken).containsExactlyElementsOf(appended);
    assertThat(failures).isGreaterThan(5);
  }
}
