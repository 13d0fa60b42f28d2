package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.security.UsernamePasswordCredentials;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A thread of Hazelcast's Java client, which talks to all members. */
final class HazelcastNemesisClient extends NemesisClient {
  private static final String NOT_CARRIED_OUT = "was not carried out";

  private final IMap<String, Object> map;

  /**
   * @param client a connected client, which others may use too; it is not closed with this one
   */
  HazelcastNemesisClient(HazelcastInstance client, String map) {
    super("Hazelcast", 0, Set.of(KeyOperation.Kind.INCREMENT));
    this.map = client.getMap(map);
  }

  /** Returns a connected client. It never tries a write again whose outcome it does not know. */
  static HazelcastInstance connect(List<String> addresses, String tenant, String key) {
    ClientConfig config = new ClientConfig().setClusterName(OwnServer.CLUSTER);
    config.getNetworkConfig().setAddresses(addresses).setRedoOperation(false);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setInitialBackoffMillis(50)
        .setMaxBackoffMillis(500)
        .setClusterConnectTimeoutMillis(-1);
    config.getSecurityConfig().setCredentials(new UsernamePasswordCredentials(tenant, key));
    config.setProperty("hazelcast.client.invocation.timeout.seconds", "10");
    config.setProperty("hazelcast.client.statistics.enabled", "false");
    config.setProperty("hazelcast.logging.type", "none");
    return HazelcastClient.newHazelcastClient(config);
  }

  @Override
  Outcome perform(
      KeyOperation.Kind kind, String key, String argument, String expected, long expiryMillis) {
    byte[] value = argument.getBytes(ISO_8859_1);
    try {
      return new Outcome.Done(
          switch (kind) {
            case GET -> text(await(map.getAsync(key)));
            case SET -> {
              await(map.setAsync(key, value));
              yield null;
            }
            case SET_WITH_EXPIRY -> {
              await(map.setAsync(key, value, expiryMillis, TimeUnit.MILLISECONDS));
              yield null;
            }
            case DELETE -> await(map.removeAsync(key)) == null ? "0" : "1";
            case SET_IF_ABSENT -> map.putIfAbsent(key, value) == null ? "1" : "0";
            case COMPARE_AND_SET ->
                map.replace(key, expected.getBytes(ISO_8859_1), value) ? "1" : "0";
            case GET_AND_SET -> text(await(map.putAsync(key, value)));
            case INCREMENT -> throw new IllegalArgumentException("Hazelcast's maps have none");
          });
    } catch (HazelcastClientOfflineException e) {
      return new Outcome.NotDone("offline");
    } catch (TimeoutException e) {
      return new Outcome.Unknown("no answer");
    } catch (RuntimeException e) {
      return failed(e);
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }

  private static <T> @Nullable T await(CompletionStage<T> stage)
      throws TimeoutException, InterruptedException {
    try {
      return stage.toCompletableFuture().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }

  private static Outcome failed(RuntimeException e) {
    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    String kind = cause.getClass().getSimpleName();
    String said = String.valueOf(cause.getMessage());
    return said.contains(NOT_CARRIED_OUT) || said.contains("did not take the write")
        ? new Outcome.NotDone(kind)
        : new Outcome.Unknown(kind);
  }

  private static @Nullable String text(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case byte[] bytes -> new String(bytes, ISO_8859_1);
      default -> value.toString();
    };
  }

  @Override
  public void close() {
    // the client is closed by who made it
  }
}
