package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientDestroyProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientGetDistributedObjectsCodec;
import com.hazelcast.client.impl.protocol.codec.ClientPingCodec;
import com.hazelcast.client.impl.protocol.codec.ClientStatisticsCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddCodec;
import com.hazelcast.client.impl.protocol.codec.ListGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddIndexCodec;
import com.hazelcast.client.impl.protocol.codec.MapAggregateCodec;
import com.hazelcast.client.impl.protocol.codec.MapContainsValueCodec;
import com.hazelcast.client.impl.protocol.codec.MapEntriesWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapFetchEntriesCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapProjectCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.QueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferAddCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddCodec;
import com.hazelcast.client.impl.protocol.codec.TopicPublishCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.internal.nio.Protocols;
import com.hazelcast.internal.serialization.Data;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Inputs for the door for Hazelcast clients, made by Hazelcast's own codecs. */
final class HostileHazelcast implements HostileGrammar {
  private static final int PARTITIONS = 271;
  private static final List<String> NAMES =
      List.of("m", "m2", "q@x", "__sql.catalog", "_ringbuffer_t", "");
  private static final List<String> SERVICES =
      List.of(
          "hz:impl:mapService",
          "hz:impl:queueService",
          "hz:impl:lockService",
          "hz:impl:jetService");

  private record Request(String name, Function<HostileDice, ClientMessage> make) {}

  private final HazelcastWire wire;
  private final HostileValues values;
  private final List<String> others;
  private final List<Request> requests = new ArrayList<>();

  /**
   * @param login the hostile tenant's
   * @param others names by which the other tenant's data might be reached
   */
  HostileHazelcast(Login login, HostileForce force, List<String> others) {
    wire = new HazelcastWire(login, 1, 1);
    values = new HostileValues(force);
    this.others = List.copyOf(others);
    addRequests();
  }

  private void addRequests() {
    add("ping", _ -> ClientPingCodec.encodeRequest());
    add("put", d -> MapPutCodec.encodeRequest(name(d), value(d), value(d), 1, d.edgeLong()));
    add("get", d -> MapGetCodec.encodeRequest(name(d), value(d), 1));
    add("set", d -> MapSetCodec.encodeRequest(name(d), value(d), value(d), 1, -1));
    add(
        "put-all",
        d ->
            MapPutAllCodec.encodeRequest(
                name(d),
                List.of(Map.entry(value(d), value(d)), Map.entry(value(d), value(d))),
                true));
    add("get-all", d -> MapGetAllCodec.encodeRequest(name(d), many(d)));
    add("values", d -> MapValuesWithPredicateCodec.encodeRequest(name(d), predicate(d)));
    add("entries", d -> MapEntriesWithPredicateCodec.encodeRequest(name(d), predicate(d)));
    add("remove-all", d -> MapRemoveAllCodec.encodeRequest(name(d), predicate(d)));
    add("contains-value", d -> MapContainsValueCodec.encodeRequest(name(d), value(d)));
    add("aggregate", d -> MapAggregateCodec.encodeRequest(name(d), predicate(d)));
    add("project", d -> MapProjectCodec.encodeRequest(name(d), predicate(d)));
    add("execute", d -> MapExecuteOnKeyCodec.encodeRequest(name(d), value(d), value(d), 1));
    add(
        "fetch",
        d ->
            MapFetchEntriesCodec.encodeRequest(
                name(d), List.of(Map.entry(d.edge(), d.edge())), d.edge()));
    add("index", d -> MapAddIndexCodec.encodeRequest(name(d), index(d)));
    add("listen", d -> MapAddEntryListenerCodec.encodeRequest(name(d), true, d.edge(), false));
    add(
        "listen-where",
        d ->
            MapAddEntryListenerWithPredicateCodec.encodeRequest(
                name(d), predicate(d), true, 1, false));
    add("lock", d -> MapLockCodec.encodeRequest(name(d), value(d), 1, 100, d.below(1000)));
    add("offer", d -> QueueOfferCodec.encodeRequest(name(d), value(d), 1));
    add("list-add", d -> ListAddCodec.encodeRequest(name(d), value(d)));
    add("list-add-all", d -> ListAddAllCodec.encodeRequest(name(d), many(d)));
    add("list-get", d -> ListGetCodec.encodeRequest(name(d), d.edge()));
    add("set-add", d -> SetAddCodec.encodeRequest(name(d), value(d)));
    add("multimap-put", d -> MultiMapPutCodec.encodeRequest(name(d), value(d), value(d), 1));
    add("ring-add", d -> RingbufferAddCodec.encodeRequest(name(d), d.below(3), value(d)));
    add("publish", d -> TopicPublishCodec.encodeRequest(name(d), value(d)));
    add(
        "replicated-put",
        d -> ReplicatedMapPutCodec.encodeRequest(name(d), value(d), value(d), d.edgeLong()));
    add(
        "transaction",
        d -> TransactionCreateCodec.encodeRequest(d.edgeLong(), d.edge(), d.below(4), 1));
    add("proxy", d -> ClientCreateProxyCodec.encodeRequest(name(d), d.pick(SERVICES)));
    add("no-proxy", d -> ClientDestroyProxyCodec.encodeRequest(name(d), d.pick(SERVICES)));
    add("objects", _ -> ClientGetDistributedObjectsCodec.encodeRequest());
    add(
        "statistics",
        d ->
            ClientStatisticsCodec.encodeRequest(
                d.edgeLong(), d.text(2_000), d.bytes(d.below(2_000))));
  }

  private void add(String name, Function<HostileDice, ClientMessage> make) {
    requests.add(new Request(name, make));
  }

  @Override
  public HostileDoor door() {
    return HostileDoor.HAZELCAST;
  }

  @Override
  public byte[] login() {
    return wire.greeting();
  }

  @Override
  public HostileInput draw(HostileDice dice, boolean known) {
    Request request = dice.pick(requests);
    ClientMessage message = request.make.apply(dice);
    message.setCorrelationId(dice.chance(0.8) ? dice.below(1_000_000) : dice.edgeLong());
    message.setPartitionId(dice.chance(0.8) ? dice.below(PARTITIONS + 1) - 1 : dice.edge());
    HostileInput input = HostileFrames.change(request.name, HazelcastWire.encode(message), dice);
    return known ? input : stranger(input, dice);
  }

  /** A peer that has not authenticated begins with the protocol's name, or does not. */
  private static HostileInput stranger(HostileInput input, HostileDice dice) {
    if (dice.chance(0.1)) {
      return input;
    }
    byte[] protocol = Protocols.CLIENT_BINARY.getBytes(US_ASCII);
    byte[] all = new byte[protocol.length + input.bytes().length];
    System.arraycopy(protocol, 0, all, 0, protocol.length);
    System.arraycopy(input.bytes(), 0, all, protocol.length, input.bytes().length);
    return new HostileInput(input.kind(), all);
  }

  private String name(HostileDice dice) {
    return dice.chance(0.7) ? dice.pick(NAMES) : dice.pick(others);
  }

  private Data value(HostileDice dice) {
    return values.value(dice);
  }

  private Data predicate(HostileDice dice) {
    return values.predicate(dice);
  }

  private List<Data> many(HostileDice dice) {
    List<Data> many = new ArrayList<>();
    for (int left = dice.below(200); left > 0; left--) {
      many.add(values.value(dice));
    }
    return many;
  }

  private static IndexConfig index(HostileDice dice) {
    return new IndexConfig(IndexType.SORTED, dice.pick(List.of("this", "__key", "a.b", "x[any]")))
        .setName("i" + dice.below(3));
  }
}
