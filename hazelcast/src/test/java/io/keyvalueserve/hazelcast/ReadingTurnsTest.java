package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.Messages.data;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.networking.nio.NioChannel;
import com.hazelcast.internal.networking.nio.NioInboundPipeline;
import com.hazelcast.internal.networking.nio.NioNetworking;
import com.hazelcast.internal.networking.nio.NioThread;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.tcp.AcceptingServer;
import io.keyvalueserve.gates.fairness.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: clients of two tenants with unequal loads get each answer once, and the right one, while
 * their connections wait for turns, are moved between the threads that read, and others close with
 * requests on their way. Method: real sockets of a real member.
 */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadingTurnsTest {
  private static final int BATCHES = 40;
  private static final int LARGE_BYTES = 300_000;

  private final DoorMember member = new DoorMember();

  @AfterAll
  void stop() {
    member.close();
  }

  private static NioNetworking networking() {
    HazelcastInstance instance = Hazelcast.getAllHazelcastInstances().iterator().next();
    return (NioNetworking)
        ((AcceptingServer) ((HazelcastInstanceProxy) instance).getOriginal().node.getServer())
            .networking();
  }

  /** Writes and reads keys of its own, so many at a time, and looks at all that it is told. */
  private final class Client {
    private final String tenant;
    private final String name;
    private final int pipeline;
    private final SplittableRandom random;
    private long correlation;

    Client(String tenant, String name, int pipeline) {
      this.tenant = tenant;
      this.name = name;
      this.pipeline = pipeline;
      this.random = new SplittableRandom(name.hashCode());
    }

    int run() throws IOException {
      int answers = 0;
      try (RawClient client = new RawClient(member.member.clientPort()).authenticate(tenant)) {
        for (int i = 0; i < BATCHES; i++) {
          answers += batch(client);
        }
      }
      return answers;
    }

    private int batch(RawClient client) throws IOException {
      List<byte[]> requests = new ArrayList<>();
      Map<Long, Data> expected = new HashMap<>();
      long first = correlation;
      for (int i = 0; i < pipeline; i++) {
        Data key = data(name + random.nextInt(8));
        boolean large = random.nextInt(200) == 0;
        Data value = data(tenant + "v" + correlation + "x".repeat(large ? LARGE_BYTES : 20));
        int partition = Messages.partition(key);
        requests.add(
            Messages.request(
                MapSetCodec.encodeRequest("turns", key, value, 1, -1), correlation++, partition));
        expected.put(correlation, value);
        requests.add(
            Messages.request(MapGetCodec.encodeRequest("turns", key, 1), correlation++, partition));
      }
      client.send(Messages.join(requests));
      Map<Long, ClientMessage> answers = new HashMap<>();
      for (int i = 0; i < 2 * pipeline; i++) {
        ClientMessage answer = client.receive();
        assertThat(answers.put(answer.getCorrelationId(), answer)).as("answered twice").isNull();
      }
      for (long i = first; i < correlation; i++) {
        Data value = expected.get(i);
        ClientMessage answer = answers.get(i);
        assertThat(answer).as("answer to %d", i).isNotNull();
        if (value != null) {
          assertThat(MapGetCodec.decodeResponse(answer)).as("answer to %d", i).isEqualTo(value);
        }
      }
      return answers.size();
    }

    /** Asks for much and does not wait for it. */
    int leaveEarly() throws IOException {
      for (int i = 0; i < BATCHES; i++) {
        try (RawClient client = new RawClient(member.member.clientPort()).authenticate(tenant)) {
          List<byte[]> requests = new ArrayList<>();
          Data key = data(name);
          for (int j = 0; j < 500; j++) {
            requests.add(
                Messages.request(
                    MapGetCodec.encodeRequest("turns", key, 1), j, Messages.partition(key)));
          }
          client.send(Messages.join(requests));
        }
      }
      return 0;
    }
  }

  /** Moves connections between threads until told to stop. Returns how often. */
  private static int move(NioNetworking networking, List<Future<Integer>> until) {
    NioThread[] threads = networking.getInputThreads();
    SplittableRandom random = new SplittableRandom(1);
    int moves = 0;
    while (!until.stream().allMatch(Future::isDone)) {
      for (NioChannel channel : List.copyOf(networking.getChannels())) {
        NioInboundPipeline pipeline = channel.inboundPipeline();
        NioThread owner = pipeline.owner();
        NioThread to = threads[random.nextInt(threads.length)];
        if (hasBegun(channel) && owner != null && !owner.equals(to) && !channel.isClosed()) {
          pipeline.requestMigration(to);
          await()
              .pollInterval(1, TimeUnit.MILLISECONDS)
              .until(() -> channel.isClosed() || hasMoved(channel, owner, to));
          moves++;
        }
      }
    }
    return moves;
  }

  /** Whether its client has authenticated: what has not been read yet cannot be moved. */
  private static boolean hasBegun(NioChannel channel) {
    Connection connection = (Connection) channel.attributeMap().get(ServerConnection.class);
    return connection != null && DoorSession.of(connection) != null;
  }

  /**
   * Whether a connection is at home where it went to: a selector takes none back that it has not
   * let go.
   */
  private static boolean hasMoved(NioChannel channel, NioThread from, NioThread to) {
    return to.equals(channel.inboundPipeline().owner())
        && channel.socketChannel().keyFor(to.getSelector()) != null
        && channel.socketChannel().keyFor(from.getSelector()) == null;
  }

  @Test
  void everyAnswerComesOnceAndIsRight() throws Exception {
    NioNetworking networking = networking();
    assumeThat(networking.getInputThreads().length).isGreaterThan(1);
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Client few = new Client("acme", "few" + i + "-", 8);
        all.add(executor.submit(few::run));
      }
      for (int i = 0; i < 8; i++) {
        Client many = new Client("globex", "many" + i + "-", 200);
        all.add(executor.submit(many::run));
      }
      for (String tenant : List.of("acme", "globex")) {
        Client early = new Client(tenant, "early", 1);
        all.add(executor.submit(early::leaveEarly));
      }
      int moves = move(networking, all);
      int answers = 0;
      for (Future<Integer> each : all) {
        answers += each.get(60, TimeUnit.SECONDS);
      }
      assertThat(answers).isEqualTo(2 * BATCHES * (4 * 8 + 8 * 200));
      assertThat(moves).isPositive();
    }
    for (String tenant : List.of("acme", "globex")) {
      Waits waits =
          member.member.waits().stream()
              .filter(each -> each.tenant() == DoorMember.number(tenant))
              .findAny()
              .orElseThrow();
      assertThat(waits.behindOthersNanos()).as("%s behind others", tenant).isPositive();
    }
    await().until(() -> networking.getChannels().isEmpty());
  }
}
