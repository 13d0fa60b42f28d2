package io.keyvalueserve.grid.snapshot;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.catalogue.GridTenantKeys;
import io.keyvalueserve.grid.catalogue.SecretSeal.SealException;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.StoredEntries;
import io.keyvalueserve.snapshots.ChunkStore;
import io.keyvalueserve.snapshots.Repository;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.tenancy.TenantName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of snapshots that this member has under way, for who coordinates them. Thread-safe. */
final class LocalParts implements AutoCloseable {
  /** Begins a part. */
  static final String BEGIN = "snapshots.begin";

  /** Tells the state of a part. */
  static final String STATE = "snapshots.state";

  /** Waits until an instant is over. */
  static final String PASS = "snapshots.pass";

  /** Cuts a part at that instant. */
  static final String CUT = "snapshots.cut";

  /** Tells what a part has written. */
  static final String WRITTEN = "snapshots.written";

  /** Ends a part. */
  static final String END = "snapshots.end";

  private static final Logger LOG = LoggerFactory.getLogger(LocalParts.class);

  private final NativeMaps maps;
  private final NodeEngine nodeEngine;
  private final GridTenantKeys keys;
  private final Repositories repositories;
  private final ConcurrentHashMap<String, LocalPart> parts = new ConcurrentHashMap<>();

  /** Answers questions from now on. */
  LocalParts(
      NativeMaps maps,
      NodeEngine nodeEngine,
      GridTenantKeys keys,
      Repositories repositories,
      Answerers answerers) {
    this.maps = maps;
    this.nodeEngine = nodeEngine;
    this.keys = keys;
    this.repositories = repositories;
    answer(answerers, BEGIN, this::begin);
    answer(answerers, STATE, asked -> state(part(asked.id())));
    answer(answerers, PASS, this::pass);
    answer(answerers, CUT, this::cut);
    answer(answerers, WRITTEN, this::written);
    answer(answerers, END, this::end);
  }

  private static void answer(
      Answerers answerers, String topic, Function<PartCodec.Asked, String> answer) {
    answerers.add(
        topic,
        text -> {
          try {
            return answer.apply(PartCodec.decodeAsked(text));
          } catch (SnapshotFailure e) {
            return PartCodec.encode(e);
          } catch (SnapshotException | SealException e) {
            return PartCodec.encode(SnapshotFailure.lasting(String.valueOf(e.getMessage())));
          } catch (RuntimeException e) {
            LOG.warn("a question about a snapshot failed", e);
            return PartCodec.encode(
                SnapshotFailure.passing("a member could not answer; its log says why"));
          }
        });
  }

  /** Returns the name of an object that says whether members see the same repository. */
  static String probe(String id) {
    return "probes/" + id;
  }

  private String begin(PartCodec.Asked asked) {
    parts
        .values()
        .removeIf(
            part -> {
              boolean gone = part.isForgotten() || part.phase() == LocalPart.Phase.FAILED;
              if (gone) {
                part.close();
              }
              return gone;
            });
    Repository repository = repositories.open(asked.repository());
    if (!repository.exists(probe(asked.id()))) {
      throw SnapshotFailure.lasting(
          "member "
              + nodeEngine.getThisAddress()
              + " does not see what another member writes to "
              + asked.repository()
              + ": mount the same directory on all members, or use an S3-compatible store");
    }
    TenantName tenant = new TenantName(asked.tenant());
    ChunkStore chunks =
        new ChunkStore(
            repository,
            keys.find(tenant)
                .orElseThrow(
                    () -> SnapshotFailure.lasting("the tenant has no key: it was deleted")));
    LocalPart part =
        new LocalPart(tenant, chunks, maps, HazelcastEngine.of(nodeEngine), this::tableStamp);
    LocalPart before = parts.put(asked.id(), part);
    if (before != null) {
      before.close();
    }
    return state(part);
  }

  private long tableStamp() {
    return nodeEngine.getPartitionService().getPartitionStateStamp();
  }

  private LocalPart part(String id) {
    LocalPart part = parts.get(id);
    if (part == null) {
      throw SnapshotFailure.passing("a member was started again meanwhile");
    }
    return part;
  }

  private String state(LocalPart part) {
    LocalPart.Phase phase = part.phase();
    SnapshotFailure problem = part.problem();
    if (problem != null) {
      throw problem;
    }
    StoredEntries stored = maps.stored();
    int owned = 0;
    for (int partition = 0; partition < stored.partitions(); partition++) {
      owned += stored.owns(partition) ? 1 : 0;
    }
    return PartCodec.encode(
        new PartCodec.State(
            phase, System.currentTimeMillis(), part.begunStamp(), owned, part.readEntries()));
  }

  private String pass(PartCodec.Asked asked) {
    LocalPart part = part(asked.id());
    part.pass(asked.cutMillis());
    return state(part);
  }

  private String cut(PartCodec.Asked asked) {
    LocalPart part = part(asked.id());
    part.cut(asked.cutMillis());
    return state(part);
  }

  private String written(PartCodec.Asked asked) {
    LocalPart part = part(asked.id());
    String _ = state(part); // throws if it failed
    return PartCodec.encode(part.results(), part.sums());
  }

  private String end(PartCodec.Asked asked) {
    LocalPart part = parts.remove(asked.id());
    if (part != null) {
      part.close();
    }
    return "{}";
  }

  /** Gives all parts up. */
  @Override
  public void close() {
    parts.values().forEach(LocalPart::close);
    parts.clear();
  }
}
