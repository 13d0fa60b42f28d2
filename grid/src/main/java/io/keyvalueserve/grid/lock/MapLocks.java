package io.keyvalueserve.grid.lock;

import com.hazelcast.client.Client;
import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.locksupport.LockResource;
import com.hazelcast.internal.locksupport.LockStoreImpl;
import com.hazelcast.internal.locksupport.LockSupportService;
import com.hazelcast.internal.locksupport.LockSupportServiceImpl;
import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.grid.space.KeyText;
import io.keyvalueserve.grid.space.RunningTransactions;
import io.keyvalueserve.grid.space.TransactionEnd;
import io.keyvalueserve.grid.space.TransactionId;
import io.keyvalueserve.grid.space.TransactionSettler;
import io.keyvalueserve.maps.ClientIds;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.QualifiedName;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The locks on the keys of maps, over all members: each tells of those in the partitions that it
 * owns. Thread-safe; blocks.
 */
public final class MapLocks {
  private static final String LIST = "locks.list";
  private static final String HOLDERS = "locks.holders";
  private static final String END = "locks.end";
  private static final String FORCE = "locks.force";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How long a member waits for a transaction that is being decided. */
  private static final Duration PATIENCE_OF_COORDINATOR = Duration.ofSeconds(10);

  private static final int MOST_FROM_A_MEMBER = 10_000;
  private static final String SEPARATOR = " ";

  private final HazelcastInstance instance;
  private final NodeEngine nodeEngine;
  private final Questioner questioner;
  private final Admissions admissions;
  private final TransactionSettler settler;
  private final RunningTransactions running;

  /**
   * The locks as this member reaches them; answers others' questions from now on.
   *
   * @param admissions knows the tenants
   * @param engine has the transactions; it is told how to end one by its lock
   */
  public MapLocks(
      HazelcastInstance instance,
      NodeEngine nodeEngine,
      Questioner questioner,
      Answerers answerers,
      Admissions admissions,
      HazelcastEngine engine) {
    this.instance = instance;
    this.nodeEngine = nodeEngine;
    this.questioner = questioner;
    this.admissions = admissions;
    this.settler = engine.settler();
    this.running = engine.runningTransactions();
    answerers.add(LIST, this::list);
    answerers.add(HOLDERS, this::holders);
    answerers.add(END, this::end);
    answerers.add(FORCE, this::force);
    engine.endTransactionsWith(this::endTransaction);
  }

  private record Found(Data key, LockResource resource, int partition, HeldLock lock) {}

  /** The locks on a map, up to 10,000 of each member. */
  public LockAnswers list(QualifiedName map) {
    return withHolders(
        ask(LIST, new LockCodec.Question(map.toString(), null, null, Set.of())), map);
  }

  /**
   * Takes the locks off all keys of a text, whoever holds them, with all their levels. A
   * transaction that holds one is ended as a whole: its coordinator aborts it, or it is carried out
   * if it is decided already. One that locks the key meanwhile goes on.
   *
   * @return those that were taken off
   */
  public LockAnswers forceUnlock(QualifiedName map, String key) {
    LockAnswers held =
        withHolders(ask(LIST, new LockCodec.Question(map.toString(), key, null, Set.of())), map);
    Set<String> transactions = new HashSet<>();
    for (HeldLock lock : held.locks()) {
      addTo(transactions, lock.holder().transaction());
    }
    Map<String, String> ends = known(END, transactions);
    LockAnswers forced =
        ask(FORCE, new LockCodec.Question(map.toString(), key, null, Set.copyOf(transactions)));
    forced.locks().stream()
        .filter(lock -> lock.holder().transaction() != null && lock.end() != null)
        .forEach(lock -> ends.putIfAbsent(idOf(lock), String.valueOf(lock.end())));
    List<HeldLock> taken = new ArrayList<>();
    for (HeldLock lock : held.locks()) {
      if (lock.holder().transaction() != null) {
        taken.add(lock.ended(LockCodec.end(ends.get(idOf(lock)))));
      }
    }
    forced.locks().stream().filter(lock -> lock.holder().transaction() == null).forEach(taken::add);
    Set<String> silent = new TreeSet<>(held.silent());
    silent.addAll(forced.silent());
    return new LockAnswers(taken, List.copyOf(silent));
  }

  /**
   * Ends the transaction that has locked a key, as {@link #forceUnlock} does; takes no other lock
   * off. For clients that force a lock off.
   *
   * @param map the map's name in the grid
   * @return false if no transaction has locked it
   */
  private boolean endTransaction(String map, Data key) {
    int partition = nodeEngine.getPartitionService().getPartitionId(key);
    Address owner = nodeEngine.getPartitionService().getPartitionOwner(partition);
    if (owner == null) {
      return false;
    }
    String data = Base64.getEncoder().encodeToString(key.toByteArray());
    String locks =
        questioner
            .ask(
                LIST,
                LockCodec.encode(new LockCodec.Question(map, null, data, Set.of())),
                owner,
                (int) PATIENCE.toMillis())
            .join();
    Set<String> transactions = new HashSet<>();
    for (HeldLock lock : LockCodec.decode(locks)) {
      addTo(transactions, lock.holder().transaction());
    }
    if (transactions.isEmpty()) {
      return false;
    }
    if (known(END, transactions).isEmpty()) {
      LockAnswers _ = ask(FORCE, new LockCodec.Question(map, null, data, transactions));
    }
    return true;
  }

  private static String idOf(HeldLock lock) {
    return String.valueOf(lock.holder().transaction());
  }

  private static void addTo(Set<String> ids, @Nullable String id) {
    if (id != null) {
      ids.add(id);
    }
  }

  // ---- questions

  private LockAnswers ask(String topic, LockCodec.Question question) {
    List<HeldLock> locks = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (MemberAnswer answer : questioner.ask(topic, LockCodec.encode(question), PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        silent.add(answer.member());
      } else {
        locks.addAll(LockCodec.decode(text));
      }
    }
    locks.sort(Comparator.comparing(HeldLock::key));
    return new LockAnswers(locks, silent);
  }

  /** Returns what all members together know of transactions and clients, by their ids. */
  private Map<String, String> known(String topic, Set<String> ids) {
    Map<String, String> known = new HashMap<>();
    if (!ids.isEmpty()) {
      for (MemberAnswer answer : questioner.ask(topic, LockCodec.encode(ids), PATIENCE)) {
        String text = answer.text();
        if (text != null) {
          known.putAll(LockCodec.decodeKnown(text));
        }
      }
    }
    return known;
  }

  /** Adds what the coordinators of transactions, and the members of clients, know of them. */
  private LockAnswers withHolders(LockAnswers answers, QualifiedName map) {
    Set<String> ids = new HashSet<>();
    for (HeldLock lock : answers.locks()) {
      addTo(ids, lock.holder().transaction());
      addTo(ids, lock.holder().clientId());
    }
    Map<String, String> known = known(HOLDERS, ids);
    Map<Integer, String> tenants = known.isEmpty() ? Map.of() : namesByNumber();
    List<HeldLock> locks =
        answers.locks().stream()
            .map(lock -> lock.of(withWhatIsKnown(lock.holder(), known, tenants, map)))
            .toList();
    return new LockAnswers(locks, answers.silent());
  }

  private static LockHolder withWhatIsKnown(
      LockHolder holder,
      Map<String, String> known,
      Map<Integer, String> tenants,
      QualifiedName map) {
    String use = holder.transaction() == null ? null : known.get(holder.transaction());
    if (use != null) {
      String[] parts = use.split(SEPARATOR, -1);
      int number = Integer.parseInt(parts[1]);
      return holder.used(
          LockPurpose.valueOf(parts[0]),
          number == ClientIds.NOBODY ? map.tenant().value() : tenants.get(number));
    }
    String session = holder.clientId() == null ? null : known.get(holder.clientId());
    return session == null ? holder : holder.connected(session);
  }

  // ---- answers

  private String list(String asked) {
    LockCodec.Question question = LockCodec.decodeQuestion(asked);
    return encoded(find(question.map(), found -> isOf(found, question)));
  }

  private static boolean isOf(Found found, LockCodec.Question question) {
    String key = question.key();
    String data = question.data();
    return (key == null || (found.lock().hasText() && found.lock().key().equals(key)))
        && (data == null
            || data.equals(Base64.getEncoder().encodeToString(found.key().toByteArray())));
  }

  private static String encoded(List<Found> found) {
    return LockCodec.encode(found.stream().map(Found::lock).toList());
  }

  private String holders(String asked) {
    Map<String, String> known = new HashMap<>();
    Map<String, String> clients = new HashMap<>();
    for (Client client : instance.getClientService().getConnectedClients()) {
      InetSocketAddress from = client.getSocketAddress();
      String address = from == null ? "" : HostPort.of(from.getHostString(), from.getPort());
      String name = client.getName();
      clients.put(
          client.getUuid().toString(),
          name == null || name.isEmpty() ? address : address + " (" + name + ")");
    }
    for (String id : LockCodec.decodeIds(asked)) {
      String client = clients.get(id);
      RunningTransactions.Use use = isTransaction(id) ? running.use(id) : null;
      if (use != null) {
        known.put(id, LockPurpose.of(use.origin()).name() + SEPARATOR + use.tenant());
      } else if (client != null) {
        known.put(id, client);
      }
    }
    return LockCodec.encode(known);
  }

  /** Returns whether an id is a transaction's. Clients have UUIDs. */
  private static boolean isTransaction(String id) {
    return id.indexOf('/') >= 0;
  }

  private String end(String asked) {
    Map<String, String> ends = new HashMap<>();
    for (String id : LockCodec.decodeIds(asked)) {
      TransactionEnd end = running.force(id, PATIENCE_OF_COORDINATOR);
      if (end != null) {
        ends.put(id, end.name());
      }
    }
    return LockCodec.encode(ends);
  }

  private String force(String asked) {
    LockCodec.Question question = LockCodec.decodeQuestion(asked);
    List<Found> found =
        find(
            question.map(),
            each -> {
              String transaction = each.lock().holder().transaction();
              return isOf(each, question)
                  && (transaction == null || question.transactions().contains(transaction));
            });
    List<HeldLock> taken = new ArrayList<>();
    IMap<Object, Object> map = found.isEmpty() ? null : instance.getMap(question.map());
    for (Found each : found) {
      TransactionEnd end = settler.end(each.resource(), question.map(), each.partition());
      if (end == null && map != null) {
        map.forceUnlock(each.key());
      }
      taken.add(each.lock().ended(end));
    }
    return LockCodec.encode(taken);
  }

  private List<Found> find(String map, Predicate<Found> wanted) {
    LockSupportServiceImpl locks = nodeEngine.getService(LockSupportService.SERVICE_NAME);
    List<Found> found = new ArrayList<>();
    KeyText text = new KeyText();
    Map<Integer, String> tenants = namesByNumber();
    for (IPartition partition : nodeEngine.getPartitionService().getPartitions()) {
      if (!partition.isLocal()) {
        continue;
      }
      for (LockStoreImpl store :
          locks.getLockContainer(partition.getPartitionId()).getLockStores()) {
        if (!store.getNamespace().getServiceName().equals(MapService.SERVICE_NAME)
            || !store.getNamespace().getObjectName().equals(map)) {
          continue;
        }
        for (LockResource resource : store.getLocks()) {
          if (resource.isLocked() && found.size() < MOST_FROM_A_MEMBER) {
            Found one =
                new Found(
                    resource.getKey(),
                    resource,
                    partition.getPartitionId(),
                    held(resource, text, tenants));
            if (wanted.test(one)) {
              found.add(one);
            }
          }
        }
      }
    }
    return found;
  }

  private Map<Integer, String> namesByNumber() {
    Map<Integer, String> names = new HashMap<>();
    admissions.tenants().forEach(tenant -> names.put(tenant.number(), tenant.name().value()));
    return names;
  }

  private static HeldLock held(LockResource resource, KeyText text, Map<Integer, String> tenants) {
    UUID owner = resource.getOwner();
    int tenant = owner == null ? ClientIds.NOBODY : ClientIds.tenantOf(owner);
    byte[] key = resource.getKey().toByteArray();
    boolean hasText = text.read(key, 0, key.length);
    TransactionId transaction = TransactionId.of(resource);
    long remaining = resource.getRemainingLeaseTime();
    boolean isMember = tenant == ClientIds.NOBODY;
    LockPurpose purpose =
        isMember
            ? transaction == null ? LockPurpose.COMMAND : LockPurpose.TRANSACTION
            : resource.isTransactional() ? LockPurpose.CLIENT_TRANSACTION : LockPurpose.LOCK;
    return new HeldLock(
        hasText
            ? new String(text.bytes(), text.offset(), text.length(), StandardCharsets.UTF_8)
            : "",
        hasText,
        new LockHolder(
            isMember ? LockHolder.Client.MEMBER : LockHolder.Client.HAZELCAST,
            tenants.get(tenant),
            purpose,
            transaction == null ? null : transaction.toString(),
            isMember ? null : String.valueOf(owner),
            null),
        remaining < 0 || remaining > Integer.MAX_VALUE * 1_000L ? -1 : remaining,
        resource.getAcquireTime(),
        null);
  }
}
