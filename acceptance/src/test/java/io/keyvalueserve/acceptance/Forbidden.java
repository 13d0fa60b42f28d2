package io.keyvalueserve.acceptance;

import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sinks;
import com.hazelcast.jet.pipeline.test.TestSources;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.MapInterceptor;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant may not have: its code running in the server, and a say over what all tenants
 * share. The classes are on the server's class path here, so that only a refusal keeps them out.
 */
enum Forbidden {
  EXECUTOR {
    @Override
    void attempt(HazelcastInstance client) throws Exception {
      client.getExecutorService("forbidden").submit(new Task()).get(20, TimeUnit.SECONDS);
    }
  },
  DURABLE_EXECUTOR {
    @Override
    void attempt(HazelcastInstance client) throws Exception {
      client.getDurableExecutorService("forbidden").submit(new Task()).get(20, TimeUnit.SECONDS);
    }
  },
  SCHEDULED_EXECUTOR {
    @Override
    void attempt(HazelcastInstance client) throws Exception {
      client
          .getScheduledExecutorService("forbidden")
          .schedule(new Task(), 1, TimeUnit.MILLISECONDS)
          .get(20, TimeUnit.SECONDS);
    }
  },
  JET_JOB {
    @Override
    void attempt(HazelcastInstance client) {
      Pipeline pipeline = Pipeline.create();
      pipeline.readFrom(TestSources.items(1)).writeTo(Sinks.noop());
      client.getJet().newJob(pipeline).join();
    }
  },
  JET_JOBS_OF_OTHERS {
    @Override
    void attempt(HazelcastInstance client) {
      int count = client.getJet().getJobs().size();
      throw new AssertionError("the tenant was shown " + count + " jobs");
    }
  },
  ENTRY_PROCESSOR {
    @Override
    void attempt(HazelcastInstance client) {
      client.<String, String>getMap("after-refusal").executeOnKey("a", new Overwrite());
    }
  },
  ENTRY_PROCESSOR_ON_ALL {
    @Override
    void attempt(HazelcastInstance client) {
      client.<String, String>getMap("after-refusal").executeOnEntries(new Overwrite());
    }
  },
  INTERCEPTOR {
    @Override
    void attempt(HazelcastInstance client) {
      client.getMap("after-refusal").addInterceptor(new Intercept());
    }
  },
  DYNAMIC_CONFIGURATION {
    @Override
    void attempt(HazelcastInstance client) {
      client.getConfig().addMapConfig(new MapConfig("forbidden").setBackupCount(0));
    }
  };

  /** Tries it. Returns only if the service let it happen. */
  abstract void attempt(HazelcastInstance client) throws Exception;

  private static final class Task implements Callable<String>, Serializable {
    @Override
    public String call() {
      return "ran in the server";
    }
  }

  private static final class Overwrite implements EntryProcessor<String, String, String> {
    @Override
    public String process(Map.Entry<String, String> entry) {
      return entry.setValue("overwritten by the tenant's code");
    }
  }

  private static final class Intercept implements MapInterceptor {
    @Override
    public Object interceptGet(Object value) {
      return "overwritten by the tenant's code";
    }

    @Override
    public void afterGet(Object value) {}

    @Override
    public @Nullable Object interceptPut(Object oldValue, Object newValue) {
      return newValue;
    }

    @Override
    public void afterPut(Object value) {}

    @Override
    public @Nullable Object interceptRemove(Object removedValue) {
      return removedValue;
    }

    @Override
    public void afterRemove(Object oldValue) {}
  }
}
