package io.keyvalueserve.engine;

import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Another tenant's map with a guard before it: lets through what is granted at the moment it is
 * asked for. A scan lists the keys that may be read; what concerns all keys at once needs a grant
 * on the whole map.
 */
final class GrantedKeyMap implements KeyMap {
  private final KeyMap map;
  private final MapAccess access;

  GrantedKeyMap(KeyMap map, MapAccess access) {
    this.map = map;
    this.access = access;
  }

  /** The map without the guard. */
  KeyMap map() {
    return map;
  }

  boolean allows(Rights needed, byte[] key) {
    return access.allows(needed, key, 0, key.length);
  }

  EngineException refused(Rights needed, byte[] key) {
    return new EngineException(failure(access.refusal(needed, key)));
  }

  private EngineException refused(Rights needed) {
    return new EngineException(failure(access.refusal(needed)));
  }

  private static Failure failure(String message) {
    return new Failure(Failure.Kind.REFUSED, message);
  }

  @Override
  public @Nullable Failure refusal(KeyCommand command) {
    Rights needed = CommandRights.of(command);
    return allows(needed, command.key()) ? null : failure(access.refusal(needed, command.key()));
  }

  @Override
  public String name() {
    return access.map().toString();
  }

  @Override
  public void submit(List<KeyCommand> commands, OutcomeSink sink) {
    passGranted(commands, sink, map::submit);
  }

  /** Reads what is granted together; what is not is refused. */
  @Override
  public void readTogether(List<KeyCommand> commands, OutcomeSink sink) {
    passGranted(commands, sink, map::readTogether);
  }

  private void passGranted(
      List<KeyCommand> commands,
      OutcomeSink sink,
      BiConsumer<List<KeyCommand>, OutcomeSink> passOn) {
    List<KeyCommand> granted = new ArrayList<>(commands.size());
    int[] places = new int[commands.size()];
    for (int i = 0; i < commands.size(); i++) {
      Failure refusal = refusal(commands.get(i));
      if (refusal == null) {
        places[granted.size()] = i;
        granted.add(commands.get(i));
      } else {
        sink.accept(i, refusal);
      }
    }
    if (!granted.isEmpty()) {
      passOn.accept(granted, (index, outcome) -> sink.accept(places[index], outcome));
    }
  }

  /** Refuses all if one is not granted. */
  @Override
  public void writeTogether(List<KeyCommand> entries, OutcomeSink sink) {
    for (KeyCommand entry : entries) {
      Failure refusal = refusal(entry);
      if (refusal != null) {
        for (int i = 0; i < entries.size(); i++) {
          sink.accept(i, refusal);
        }
        return;
      }
    }
    map.writeTogether(entries, sink);
  }

  @Override
  public int backups() {
    return map.backups();
  }

  @Override
  public CompletionStage<Integer> copiesOnDisk() {
    return map.copiesOnDisk();
  }

  @Override
  public DirectMap direct() {
    return new GrantedDirectMap(map.direct(), access, this);
  }

  @Override
  public DirectMap direct(Uncertain uncertain) {
    return new GrantedDirectMap(map.direct(uncertain), access, this);
  }

  @Override
  public CompletionStage<Boolean> insertAll(List<KeyCommand.Write> entries) {
    for (KeyCommand.Write entry : entries) {
      if (!allows(Rights.WRITE, entry.key())) {
        return CompletableFuture.failedFuture(refused(Rights.WRITE, entry.key()));
      }
    }
    return map.insertAll(entries);
  }

  @Override
  public CompletionStage<MoveOutcome> rename(byte[] from, byte[] to, boolean onlyIfAbsent) {
    if (!allows(Rights.READ_WRITE, from)) {
      return CompletableFuture.failedFuture(refused(Rights.READ_WRITE, from));
    }
    return allows(Rights.WRITE, to)
        ? map.rename(from, to, onlyIfAbsent)
        : CompletableFuture.failedFuture(refused(Rights.WRITE, to));
  }

  /** {@link GrantedSpace#copy} is how entries get out of here and in. */
  @Override
  public CompletionStage<MoveOutcome> copy(byte[] from, KeyMap target, byte[] to, boolean replace) {
    throw new IllegalArgumentException("entries of others' maps are copied by the tenant's space");
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count, GlobPattern match) {
    if (access.allowsAll(Rights.READ)) {
      return map.scan(cursor, count, match);
    }
    return access.allowsSome(Rights.READ)
        ? new GrantedScan(map, count, match, key -> allows(Rights.READ, key)).from(cursor)
        : CompletableFuture.completedFuture(new ScanPage(0, List.of()));
  }

  @Override
  public long placeOf(byte[] key) {
    return map.placeOf(key);
  }

  @Override
  public CompletionStage<Long> size() {
    return access.allowsAll(Rights.READ)
        ? map.size()
        : CompletableFuture.failedFuture(refused(Rights.READ));
  }

  @Override
  public CompletionStage<Long> expiring() {
    return access.allowsAll(Rights.READ)
        ? map.expiring()
        : CompletableFuture.failedFuture(refused(Rights.READ));
  }

  @Override
  public CompletionStage<Optional<byte[]>> randomKey() {
    return access.allowsAll(Rights.READ)
        ? map.randomKey()
        : CompletableFuture.failedFuture(refused(Rights.READ));
  }

  @Override
  public CompletionStage<Boolean> forceUnlock(byte[] key) {
    return allows(Rights.ADMIN, key)
        ? map.forceUnlock(key)
        : CompletableFuture.failedFuture(refused(Rights.ADMIN, key));
  }

  @Override
  public CompletionStage<Void> clear() {
    return access.allowsAll(Rights.WRITE)
        ? map.clear()
        : CompletableFuture.failedFuture(refused(Rights.WRITE));
  }
}
