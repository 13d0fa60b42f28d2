package io.keyvalueserve.grid.space;

import com.hazelcast.config.Config;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.keyvalueserve.grid.blocking.KeyTurn;
import io.keyvalueserve.maps.ChangeNotes;
import io.keyvalueserve.maps.MergeChanges;
import io.keyvalueserve.maps.RestoreEntries;
import io.keyvalueserve.maps.WriterNotes;

/**
 * Creates the objects that members send each other for the key spaces. Every class has a number
 * that never changes its meaning, because members of two versions may talk while a cluster is
 * upgraded.
 */
public final class SpaceSerialization implements DataSerializableFactory {
  /** The factory's number in a member's configuration: "kvs" in ASCII. */
  public static final int FACTORY_ID = 0x6b7673;

  static final int KEY_READ_BATCH = 1;
  static final int KEY_WRITE_BATCH = 2;
  static final int KEY_BACKUP = 3;
  static final int BATCH_ANSWER = 4;
  static final int ENTRY_STATE = 5;
  static final int PAGE_REMOVAL = 6;
  static final int PAGE_SWEEP = 7;
  static final int PARTITION_SCAN = 8;
  static final int PARTITION_PAGE = 9;
  static final int PARTITION_SIZE = 10;
  static final int PARTITION_SIZE_FACTORY = 11;
  static final int RANDOM_KEY = 12;
  static final int MEMBER_BATCH = 13;
  static final int MEMBER_ANSWER = 14;
  static final int TRANSACTION_LOCK = 15;
  static final int TRANSACTION_LOCK_BACKUP = 16;
  static final int LOCKED_ENTRIES = 17;
  static final int TRANSACTION_APPLY = 18;
  static final int TRANSACTION_BACKUP = 19;
  static final int TRANSACTION_DECISION = 20;
  static final int PAGE_READ = 21;
  static final int LOG_SYNC = 22;

  /** Makes a member understand what maps need of it. Without it no operation can be sent. */
  public static void register(Config config) {
    config
        .getSerializationConfig()
        .addDataSerializableFactory(FACTORY_ID, new SpaceSerialization());
    WriterNotes.register(config);
    ChangeNotes.register(config);
    MergeChanges.register(config);
    RestoreEntries.register(config);
    KeyTurn.register(config);
  }

  @Override
  public IdentifiedDataSerializable create(int typeId) {
    return switch (typeId) {
      case KEY_READ_BATCH -> new KeyReadBatch();
      case KEY_WRITE_BATCH -> new KeyWriteBatch();
      case KEY_BACKUP -> new KeyBackup();
      case BATCH_ANSWER -> new BatchAnswer();
      case ENTRY_STATE -> new EntryState();
      case PAGE_REMOVAL -> new PageRemoval();
      case PAGE_SWEEP -> new PageSweep();
      case PARTITION_SCAN -> new PartitionScan();
      case PARTITION_PAGE -> new PartitionPage();
      case PARTITION_SIZE -> new PartitionSize();
      case PARTITION_SIZE_FACTORY -> new PartitionSize.Factory();
      case RANDOM_KEY -> new RandomKey();
      case MEMBER_BATCH -> new MemberBatch();
      case MEMBER_ANSWER -> new MemberBatchAnswer();
      case TRANSACTION_LOCK -> new TransactionLock();
      case TRANSACTION_LOCK_BACKUP -> new TransactionLockBackup();
      case LOCKED_ENTRIES -> new LockedEntries();
      case TRANSACTION_APPLY -> new TransactionApply();
      case TRANSACTION_BACKUP -> new TransactionBackup();
      case TRANSACTION_DECISION -> new TransactionDecision();
      case PAGE_READ -> new PageRead();
      case LOG_SYNC -> new LogSync();
      default -> throw new IllegalArgumentException("no such class: typeId=" + typeId);
    };
  }
}
