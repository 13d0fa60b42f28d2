package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots that are being put back at any member, and the tenants that get them. Plans leave
 * both alone meanwhile. Thread-safe.
 */
public final class InUse {
  private static final String TOPIC = "snapshots.in-use";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Questioner questioner;
  private final List<String> here = new CopyOnWriteArrayList<>();

  /** Answers other members from now on. */
  InUse(Questioner questioner, Answerers answerers) {
    this.questioner = questioner;
    answerers.add(TOPIC, any -> String.join("\n", here));
  }

  /** The use of a snapshot, until it is closed. */
  public interface Use extends AutoCloseable {
    @Override
    void close();
  }

  /** Notes that a snapshot is being put back as maps of a tenant. */
  Use begin(String snapshot, String tenant) {
    List<String> names = List.of(snapshot, tenant);
    boolean _ = here.addAll(names);
    return () -> names.forEach(here::remove);
  }

  /**
   * Returns the ids of snapshots and the names of tenants that are in use at any member; null if
   * that is not known. Blocks.
   */
  @Nullable Set<String> everywhere() {
    Set<String> all = new HashSet<>();
    for (MemberAnswer answer : questioner.ask(TOPIC, "", PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        return null;
      }
      boolean _ = all.addAll(List.of(text.split("\n", -1)));
    }
    return all;
  }
}
