package io.keyvalueserve.grid.lock;

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
import io.keyvalueserve.grid.space.KeyText;
import io.keyvalueserve.maps.ClientIds;
import io.keyvalueserve.tenancy.QualifiedName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The locks on the keys of maps, over all members: each tells of those in the partitions that it
 * owns. Thread-safe; blocks.
 */
public final class MapLocks {
  private static final String LIST = "locks.list";
  private static final String FORCE = "locks.force";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_FROM_A_MEMBER = 10_000;

  private final HazelcastInstance instance;
  private final NodeEngine nodeEngine;
  private final Questioner questioner;
  private final Admissions admissions;

  /**
   * The locks as this member reaches them; answers others' questions from now on.
   *
   * @param admissions knows the tenants
   */
  public MapLocks(
      HazelcastInstance instance,
      NodeEngine nodeEngine,
      Questioner questioner,
      Answerers answerers,
      Admissions admissions) {
    this.instance = instance;
    this.nodeEngine = nodeEngine;
    this.questioner = questioner;
    this.admissions = admissions;
    answerers.add(LIST, question -> answer(question, false));
    answerers.add(FORCE, question -> answer(question, true));
  }

  private record Found(Data key, HeldLock lock) {}

  /** The locks on a map, up to 10,000 of each member. */
  public LockAnswers list(QualifiedName map) {
    return ask(LIST, new LockCodec.Question(map.toString(), ""));
  }

  /**
   * Takes the locks off all keys of a text, whoever holds them, with all their levels.
   *
   * @return those that were taken off
   */
  public LockAnswers forceUnlock(QualifiedName map, String key) {
    return ask(FORCE, new LockCodec.Question(map.toString(), key));
  }

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

  private String answer(String asked, boolean force) {
    LockCodec.Question question = LockCodec.decodeQuestion(asked);
    List<Found> found =
        find(
            question.map(),
            lock -> !force || (lock.hasText() && lock.key().equals(question.key())));
    if (force && !found.isEmpty()) {
      IMap<Object, Object> map = instance.getMap(question.map());
      found.forEach(each -> map.forceUnlock(each.key()));
    }
    return LockCodec.encode(found.stream().map(Found::lock).toList());
  }

  private List<Found> find(String map, Predicate<HeldLock> wanted) {
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
            HeldLock lock = held(resource, text, tenants);
            if (wanted.test(lock)) {
              found.add(new Found(resource.getKey(), lock));
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
    long remaining = resource.getRemainingLeaseTime();
    return new HeldLock(
        hasText
            ? new String(text.bytes(), text.offset(), text.length(), StandardCharsets.UTF_8)
            : "",
        hasText,
        tenant == ClientIds.NOBODY ? HeldLock.Client.MEMBER : HeldLock.Client.HAZELCAST,
        tenants.get(tenant),
        remaining < 0 || remaining > Integer.MAX_VALUE * 1_000L ? -1 : remaining,
        resource.isTransactional());
  }
}
