package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.transaction.TransactionContext;
import com.hazelcast.transaction.TransactionOptions;
import com.hazelcast.transaction.TransactionalMap;
import io.keyvalueserve.bench.ListTransaction.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A thread of Hazelcast's Java client, which talks to all members. It locks all keys of a
 * transaction in the order of their names while it reads them, and commits in two phases.
 */
final class HazelcastTransactionClient extends TransactionClient {
  /**
   * Other transactions lock keys in the order of partitions, so two may wait for each other. This
   * one gives up first.
   */
  private static final int TIMEOUT_MILLIS = 2_000;

  private static final TransactionOptions OPTIONS =
      new TransactionOptions()
          .setTransactionType(TransactionOptions.TransactionType.TWO_PHASE)
          .setTimeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);

  private final HazelcastInstance client;
  private final String map;

  /**
   * @param client a connected client, which others may use too; it is not closed with this one
   */
  HazelcastTransactionClient(HazelcastInstance client, String map) {
    super("Hazelcast", 0);
    this.client = client;
    this.map = map;
  }

  @Override
  Answer perform(List<Step> plan, SplittableRandom random) {
    Map<String, List<Long>> additions = new TreeMap<>(additions(plan));
    Map<String, List<Long>> found = new LinkedHashMap<>();
    TransactionContext context;
    try {
      context = client.newTransactionContext(OPTIONS);
      context.beginTransaction();
    } catch (RuntimeException e) {
      return notDone(e);
    }
    try {
      TransactionalMap<String, Object> values = context.getMap(map);
      for (Map.Entry<String, List<Long>> each : additions.entrySet()) {
        String before = text(values.getForUpdate(each.getKey()));
        found.put(each.getKey(), elements(before));
        if (!each.getValue().isEmpty()) {
          values.set(each.getKey(), longer(before, each.getValue()).getBytes(ISO_8859_1));
        }
      }
    } catch (BenchException e) {
      throw e;
    } catch (RuntimeException e) {
      rollBack(context);
      return notDone(e);
    }
    try {
      context.commitTransaction();
      return new Answer.Done(door(), readThenAppend(found, additions));
    } catch (HazelcastClientOfflineException e) {
      return notDone(e);
    } catch (RuntimeException e) {
      return new Answer.Unknown(
          door(), e.getClass().getSimpleName(), readThenAppend(found, additions));
    }
  }

  private Answer notDone(RuntimeException e) {
    return new Answer.NotDone(door(), e.getClass().getSimpleName());
  }

  private static void rollBack(TransactionContext context) {
    try {
      context.rollbackTransaction();
    } catch (HazelcastException | IllegalStateException e) {
      // the cluster ends it when its time is over
    }
  }

  private static String text(Object value) {
    return switch (value) {
      case null -> "";
      case byte[] bytes -> new String(bytes, ISO_8859_1);
      default -> value.toString();
    };
  }

  @Override
  public void close() {
    // the client is closed by who made it
  }
}
