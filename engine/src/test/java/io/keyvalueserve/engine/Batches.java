package io.keyvalueserve.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.collection.Element;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs commands on a map from a test that waits, and shows outcomes as text. */
public final class Batches {
  private static final long PATIENCE_SECONDS = 60;

  private Batches() {}

  /** The outcomes of a batch, in its order, when all of them have arrived. */
  public static List<Outcome> run(KeyMap map, List<? extends KeyCommand> commands) {
    int count = commands.size();
    AtomicReferenceArray<@Nullable Outcome> outcomes = new AtomicReferenceArray<>(count);
    AtomicInteger missing = new AtomicInteger(count);
    CompletableFuture<Void> complete = new CompletableFuture<>();
    if (count == 0) {
      complete.complete(null);
    }
    map.submit(
        List.copyOf(commands),
        (index, outcome) -> {
          if (outcomes.getAndSet(index, outcome) != null) {
            complete.completeExceptionally(
                new AssertionError("a command has one outcome; second one for index " + index));
          }
          if (missing.decrementAndGet() == 0) {
            complete.complete(null);
          }
        });
    await(complete);
    return Arrays.asList(IntStream.range(0, count).mapToObj(outcomes::get).toArray(Outcome[]::new));
  }

  /** The outcomes of a batch, each as {@link #text}. */
  public static List<String> texts(KeyMap map, KeyCommand... commands) {
    return run(map, List.of(commands)).stream().map(Batches::text).toList();
  }

  /** The outcome of one command. */
  public static Outcome run(KeyMap map, KeyCommand command) {
    return run(map, List.of(command)).getFirst();
  }

  /** What a stage ends with. */
  public static <T extends @Nullable Object> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError("a stage failed", e);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for an answer", e);
    }
  }

  /** An outcome as text that two engines agree on; bytes as ISO-8859-1. */
  public static String text(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Missing missing -> missing.name();
      case Outcome.Entry entry -> "Entry " + latin(entry.value()) + expiry(entry.expireAtMillis());
      case Outcome.Info info ->
          "Info "
              + (info.collection() == null ? info.length() : info.collection().word())
              + expiry(info.expireAtMillis());
      case Outcome.Elements elements -> "Elements " + text(elements.elements());
      case Outcome.Applied applied -> "Applied" + previous(applied.previous());
      case Outcome.NotApplied notApplied -> "NotApplied" + previous(notApplied.previous());
      case Outcome.IntegerResult result -> "Integer " + result.value();
      case Outcome.DecimalResult result -> "Decimal " + result.value();
      case Outcome.Integers integers ->
          "Integers "
              + Arrays.toString(integers.values())
              + " absent "
              + Arrays.toString(integers.absent());
      case Outcome.Rejected rejected -> rejected.name();
      case Outcome.Failure failure -> "Failure " + failure.kind() + ": " + failure.message();
    };
  }

  private static List<String> text(List<Element> elements) {
    return elements.stream()
        .map(
            element ->
                switch (element) {
                  case Element.Nothing nothing -> nothing.name();
                  case Element.Text text -> latin(text.bytes());
                  case Element.Whole whole -> Long.toString(whole.value());
                  case Element.Real real -> Double.toString(real.value());
                  case Element.Group group -> text(group.elements()).toString();
                })
        .toList();
  }

  /** Text as the bytes of a key or a value. */
  public static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  /** Bytes as text of one character for each byte. */
  public static String latin(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  private static String previous(byte @Nullable [] previous) {
    return previous == null ? "" : " was " + latin(previous);
  }

  private static String expiry(long expireAtMillis) {
    return expireAtMillis == Expiry.NONE ? "" : " until " + expireAtMillis;
  }
}
