package io.keyvalueserve.grid.space;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.nio.MemberSocketInterceptor;
import com.hazelcast.partition.PartitionService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.DirectFirst;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberQuestion;
import io.keyvalueserve.maps.ConstantSpilling;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.gather.TenantHeap;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A cluster of members in this JVM, on loopback, with the map service and operations of ours. */
public final class TestGrid implements AutoCloseable {
  /** Kept, or the level would be forgotten with the logger. */
  private static final Logger HAZELCAST_LOG = Logger.getLogger("com.hazelcast");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_MEMBERS = 6;
  private static final int LOWEST_PORT = 12_000;
  private static final int HIGHEST_PORT = 32_000;
  public static final long MEMORY_BYTES = 256 << 20;
  private static final long HASH_SEED = 20_251_121;

  private final String cluster = "test-" + UUID.randomUUID();
  private final int firstPort = freePorts();
  private final int partitions;
  private final long memoryBytes;
  private final Consumer<Config> settings;
  private final List<HazelcastInstance> members = new ArrayList<>();
  private final List<NativeMaps> maps = new ArrayList<>();
  private final Consumer<NativeMaps> prepare;
  private final boolean spills;
  private final List<ConstantSpilling> spilling = new ArrayList<>();

  TestGrid(int members, int partitions) {
    this(members, partitions, config -> {});
  }

  /** With settings of the test's own, applied last. */
  public TestGrid(int members, int partitions, Consumer<Config> settings) {
    this(members, partitions, settings, MEMORY_BYTES);
  }

  /** With so much memory for the maps of each member. */
  public TestGrid(int members, int partitions, Consumer<Config> settings, long memoryBytes) {
    this(members, partitions, settings, memoryBytes, SPILLS);
  }

  /** Whose values leave memory all the time, or do not. */
  public TestGrid(
      int members, int partitions, Consumer<Config> settings, long memoryBytes, boolean spills) {
    this(members, partitions, settings, memoryBytes, spills, maps -> {});
  }

  /**
   * With maps that were prepared before each member starts.
   *
   * @param prepare may give them somewhere to spill values to
   */
  public TestGrid(
      int members, int partitions, Consumer<Config> settings, Consumer<NativeMaps> prepare) {
    this(members, partitions, settings, MEMORY_BYTES, false, prepare);
  }

  /** With all of that. */
  public TestGrid(
      int members,
      int partitions,
      Consumer<Config> settings,
      long memoryBytes,
      boolean spills,
      Consumer<NativeMaps> prepare) {
    this.prepare = prepare;
    this.spills = spills;
    this.memoryBytes = memoryBytes;
    HAZELCAST_LOG.setLevel(Level.WARNING);
    Awaitility.setDefaultTimeout(PATIENCE);
    this.partitions = partitions;
    this.settings = settings;
    for (int i = 0; i < members; i++) {
      HazelcastInstance _ = join();
    }
    if (members > 1) {
      awaitBackups();
    }
  }

  /**
   * Waits until all members know the partition table and every entry has its backups. A backup that
   * arrives before the table is not made, and its write is acknowledged all the same once the
   * engine has waited 5 s for it: who writes first and terminates a member then, has lost it.
   */
  private void awaitBackups() {
    for (HazelcastInstance member : members) {
      PartitionService known = member.getPartitionService();
      Awaitility.await()
          .until(() -> known.getPartitions().stream().allMatch(each -> each.getOwner() != null));
    }
    Awaitility.await().until(members.getFirst().getPartitionService()::isClusterSafe);
  }

  /** Not, unless the tests run with {@code -Dkvs.test.spill=on}. */
  private static final boolean SPILLS = System.getProperty("kvs.test.spill", "off").equals("on");

  /** All of it, unless the tests run with {@code -Dkvs.test.fast-path=off}. */
  static final FastPath FAST_PATH =
      System.getProperty("kvs.test.fast-path", "on").equals("off") ? FastPath.OFF : FastPath.ON;

  /** Starts one more member. */
  public HazelcastInstance join() {
    NativeMaps memory = NativeMaps.open(HeapConfig.dram(memoryBytes), HASH_SEED);
    if (spills) {
      ConstantSpilling.prepare(memory);
    }
    prepare.accept(memory);
    HazelcastInstance member =
        HazelcastInstanceFactory.newHazelcastInstance(
            config(), cluster + "-" + UUID.randomUUID(), new Context(memory));
    members.add(member);
    maps.add(memory);
    if (spills) {
      spilling.add(new ConstantSpilling(memory));
    }
    return member;
  }

  /** A running member. */
  public HazelcastInstance member(int index) {
    return members.get(index);
  }

  /** Kills a member without a farewell. */
  public void terminate(int index) {
    stopSpilling(index);
    members.remove(index).getLifecycleService().terminate();
    maps.remove(index).close();
  }

  /** Has a member leave in good order. */
  public void shutDown(int index) {
    members.remove(index).shutdown();
    stopSpilling(index);
    maps.remove(index).close();
  }

  private void stopSpilling(int index) {
    if (spills) {
      spilling.remove(index).close();
    }
  }

  /** What has a member's values leave memory. */
  public ConstantSpilling spilling(int index) {
    return spilling.get(index);
  }

  /** The memory of a member's maps. */
  public NativeMaps maps(int index) {
    return maps.get(index);
  }

  /** The engine of a member. */
  public HazelcastEngine engine(int member) {
    return HazelcastEngine.of(nodeEngine(members.get(member)));
  }

  /** The engine of a member as a door uses it: directly where that can be. */
  Engine door(int member) {
    return new DirectFirst(engine(member));
  }

  /** A tenant's map as a door of a member sees it. */
  public KeyMap map(int member, String tenant, String map) {
    return door(member).space(new Identity(new TenantName(tenant), 1, "key")).map(new MapName(map));
  }

  /** The same as it is for who does nothing directly: all goes by operations. */
  public KeyMap slowMap(int member, String tenant, String map) {
    return engine(member)
        .space(new Identity(new TenantName(tenant), 1, "key"))
        .map(new MapName(map));
  }

  public static NodeEngine nodeEngine(HazelcastInstance member) {
    return ((HazelcastInstanceProxy) member).getOriginal().node.getNodeEngine();
  }

  /** The functions that answer other members' questions on a member. */
  public static Answerers answerers(HazelcastInstance member) {
    Node node = ((HazelcastInstanceProxy) member).getOriginal().node;
    return ((MemberQuestion.Receiver) node.getNodeExtension()).answerers();
  }

  private Config config() {
    Config config = new Config();
    config.getUserContext().put(FastPath.KEY, FAST_PATH);
    config.setClusterName(cluster);
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config.setProperty("hazelcast.logging.type", "jdk");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.partition.count", Integer.toString(partitions));
    config.setProperty("hazelcast.partition.migration.stale.read.disabled", "true");
    config.setProperty("hazelcast.operation.call.timeout.millis", "20000");
    config.addMapConfig(
        new MapConfig("*/brief")
            .setInMemoryFormat(InMemoryFormat.NATIVE)
            .setTimeToLiveSeconds(1)
            .setMaxIdleSeconds(1));
    config.addMapConfig(
        new MapConfig("default").setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(1));
    config.getNetworkConfig().setPort(firstPort).setPortCount(MOST_MEMBERS);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    for (int i = 0; i < MOST_MEMBERS; i++) {
      join.getTcpIpConfig().addMember("127.0.0.1:" + (firstPort + i));
    }
    SpaceSerialization.register(config);
    MemberQuestion.register(config);
    settings.accept(config);
    return config;
  }

  /**
   * The first of so many ports that nobody uses. Below the range that the system takes a client's
   * ports from: a member that calls another which is down could else be connected with itself.
   */
  public static int freePorts() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT - MOST_MEMBERS);
      if (IntStream.range(first, first + MOST_MEMBERS).allMatch(TestGrid::isFree)) {
        return first;
      }
    }
    throw new IllegalStateException("no free ports from " + LOWEST_PORT + " to " + HIGHEST_PORT);
  }

  private static boolean isFree(int port) {
    try (ServerSocket _ = new ServerSocket(port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    spilling.forEach(ConstantSpilling::close);
    spilling.clear();
    members.forEach(member -> member.getLifecycleService().terminate());
    members.clear();
    maps.forEach(NativeMaps::close);
    maps.clear();
  }

  private static final class Context extends DefaultNodeContext {
    private final NativeMaps maps;

    Context(NativeMaps maps) {
      this.maps = maps;
    }

    @Override
    public NodeExtension createNodeExtension(Node node) {
      return new Extension(node, maps);
    }
  }

  private static final class Extension extends DefaultNodeExtension
      implements MemberQuestion.Receiver {
    private final NativeMaps maps;
    private final Answerers answerers = new Answerers();

    Extension(Node node, NativeMaps maps) {
      super(node);
      this.maps = maps;
    }

    @Override
    public Answerers answerers() {
      return answerers;
    }

    @Override
    public void onMemberListChange() {
      maps.tenure().onMemberListChange(node.getClusterService());
      maps.changes().look();
      super.onMemberListChange();
    }

    @Override
    public @Nullable MemberSocketInterceptor getSocketInterceptor(EndpointQualifier endpoint) {
      return (MemberSocketInterceptor)
          node.getConfig().getNetworkConfig().getSocketInterceptorConfig().getImplementation();
    }

    @Override
    public <T> T createService(Class<T> type, Object... params) {
      return type == MapService.class
          ? type.cast(
              KvsMapService.create(node.getNodeEngine(), maps, tenant -> TenantHeap.UNBOUNDED))
          : super.createService(type, params);
    }
  }
}
