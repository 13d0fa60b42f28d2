package io.keyvalueserve.grid.space;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryMergedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import io.keyvalueserve.engine.NoticeStore;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.tenancy.TenantName;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events of keys that tenants are told of, in a system map by their numbers. */
public final class GridNoticeStore implements NoticeStore {
  private static final Logger LOG = LoggerFactory.getLogger(GridNoticeStore.class);
  private static final String NOTICES = "__kvs.notices";
  private static final char SEPARATOR = ' ';
  private static final int BACKUPS = 2;

  private final HazelcastInstance instance;
  private final NativeMaps maps;

  GridNoticeStore(HazelcastInstance instance, NativeMaps maps) {
    this.instance = instance;
    this.maps = maps;
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(NOTICES).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
  }

  private IMap<String, String> map() {
    return instance.getMap(NOTICES);
  }

  @Override
  public void set(TenantName name, int tenant, int events) {
    var _ =
        map()
            .setAsync(Integer.toString(tenant), events + " " + name)
            .whenComplete((_, failure) -> note(tenant, failure));
  }

  @Override
  public void forget(int tenant) {
    var _ =
        map()
            .removeAsync(Integer.toString(tenant))
            .whenComplete((_, failure) -> note(tenant, failure));
  }

  private static void note(int tenant, @Nullable Throwable failure) {
    if (failure != null) {
      LOG.warn(
          "other members do not know yet which events of keys a tenant is told of: tenant={},"
              + " error={}",
          tenant,
          failure.toString());
    }
  }

  @Override
  public void subscribe(Listener listener) {
    UUID _ =
        map()
            .addEntryListener(
                (EntryAddedListener<String, String>)
                    event -> tell(listener, event.getKey(), event.getValue()),
                true);
    UUID _ =
        map()
            .addEntryListener(
                (EntryUpdatedListener<String, String>)
                    event -> tell(listener, event.getKey(), event.getValue()),
                true);
    UUID _ =
        map()
            .addEntryListener(
                (EntryMergedListener<String, String>)
                    event -> tell(listener, event.getKey(), event.getValue()),
                true);
    map().entrySet().forEach(entry -> tell(listener, entry.getKey(), entry.getValue()));
  }

  private static void tell(Listener listener, String tenant, String stored) {
    int end = stored.indexOf(SEPARATOR);
    listener.told(
        new TenantName(stored.substring(end + 1)),
        Integer.parseInt(tenant),
        Integer.parseInt(stored.substring(0, end)));
  }

  @Override
  public void onRemoval(Removals heard) {
    maps.onRemoval(
        (map, key, expired) -> {
          byte[] bytes = heard.isWanted() ? KeyData.keyBytes(key) : null;
          if (bytes != null) {
            heard.removed(map, bytes, expired);
          }
        });
  }
}
