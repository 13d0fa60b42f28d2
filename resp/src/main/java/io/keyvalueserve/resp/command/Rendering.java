package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replies from outcomes. An outcome that a command cannot have is a defect, and throws. */
final class Rendering {
  private Rendering() {}

  /** The value, or null if there is none. */
  static Reply value(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Entry entry -> new Reply.Bulk(entry.value());
      case Outcome.Applied applied -> bulkOrNull(applied.previous());
      case Outcome.NotApplied notApplied -> bulkOrNull(notApplied.previous());
      case Outcome.Missing _ -> Reply.Null.NULL;
      case Outcome.DecimalResult result -> new Reply.Bulk(result.value().getBytes(US_ASCII));
      case Outcome other -> throw unexpected(other);
    };
  }

  /** OK, or null if the condition did not hold. */
  static Reply okOrNull(Outcome outcome) {
    return outcome instanceof Outcome.Applied ? Reply.OK : Reply.Null.NULL;
  }

  /** 1 if the command took effect, else 0. */
  static Reply oneOrZero(Outcome outcome) {
    return outcome instanceof Outcome.Applied ? Reply.Int.ONE : Reply.Int.ZERO;
  }

  /** The integer. */
  static Reply integer(Outcome outcome) {
    return switch (outcome) {
      case Outcome.IntegerResult result -> Reply.integer(result.value());
      case Outcome other -> throw unexpected(other);
    };
  }

  /** The length of the value; 0 if there is none. */
  static Reply length(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Missing _ -> Reply.Int.ZERO;
      case Outcome.Info info ->
          info.length() < 0 ? Errors.WRONG_TYPE : Reply.integer(info.length());
      case Outcome other -> throw unexpected(other);
    };
  }

  /** Returns the number of commands that found or changed something. */
  static Reply count(List<Outcome> outcomes) {
    int count = 0;
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Applied || outcome instanceof Outcome.Info) {
        count++;
      }
    }
    return Reply.integer(count);
  }

  /** Returns the time when an entry expires, or {@link Expiry#NONE}. */
  static long expireAt(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Info info -> info.expireAtMillis();
      case Outcome other -> throw unexpected(other);
    };
  }

  static IllegalStateException unexpected(Outcome outcome) {
    return new IllegalStateException(
        "the engine answered with an outcome that the command cannot have: "
            + outcome.getClass().getSimpleName());
  }

  private static Reply bulkOrNull(byte @Nullable [] value) {
    return value == null ? Reply.Null.NULL : new Reply.Bulk(value);
  }
}
