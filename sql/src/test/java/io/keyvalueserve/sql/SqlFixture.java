package io.keyvalueserve.sql;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.service.MemberSqlService;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A service over tables in memory, and a session of a tenant. */
public final class SqlFixture implements AutoCloseable {
  /** The tenant. */
  public static final Identity ACME = new Identity(new TenantName("acme"), 1, "key");

  public static final SqlOptions OPTIONS = new SqlOptions(Duration.ZERO, ZoneOffset.UTC, "test");

  public final MemoryCatalog catalog;
  public final Admissions admissions = new Admissions(System::nanoTime);
  public final UsageBook book = new UsageBook(UUID.randomUUID(), 0);
  public final MemberSqlService service;
  public final SqlSession session;

  public SqlFixture(MemoryCatalog catalog) {
    this(catalog, builder -> builder);
  }

  public SqlFixture(MemoryCatalog catalog, UnaryOperator<MemberSqlService.Builder> setting) {
    this.catalog = catalog;
    this.service = setting.apply(MemberSqlService.builder(_ -> catalog)).build();
    this.session = open();
  }

  /** Opens one more session. */
  public SqlSession open() {
    return service.open(visit(), OPTIONS);
  }

  /** Begins one more visit. */
  public Visit visit() {
    TenantPolicy policy =
        new TenantPolicy(
            new Nobody(),
            new SessionRegistry(_ -> true, _ -> 1),
            new TenantMeters(2),
            book,
            new GrantDirectory(new TenantDirectory(false), InstantSource.system()),
            admissions,
            new Audit());
    return Visit.begin(policy, ACME, Door.HTTP);
  }

  /** Returns what the tenant is charged for, since the last time. */
  public Map<Measure, Long> charged() {
    Map<Measure, Long> sums = new EnumMap<>(Measure.class);
    for (UsageEvent event : book.flush(1)) {
      for (Measure measure : Measure.values()) {
        long count = event.quantities().of(measure);
        if (count != 0) {
          long _ = sums.merge(measure, count, Long::sum);
        }
      }
    }
    return sums;
  }

  /** Runs a statement; returns its rows as text, or the number of rows that it wrote. */
  public List<String> run(String sql, @Nullable Object... parameters) throws SqlException {
    try (SqlCursor cursor = session.execute(session.prepare(sql), list(parameters))) {
      List<String> rows = new ArrayList<>();
      if (cursor.updated() >= 0) {
        return List.of(cursor.updated() + " written");
      }
      while (cursor.next()) {
        rows.add(shown(cursor));
      }
      return rows;
    }
  }

  private static List<@Nullable Object> list(@Nullable Object[] values) {
    List<@Nullable Object> list = new ArrayList<>();
    for (Object value : values) {
      list.add(value);
    }
    return list;
  }

  private static String shown(SqlCursor cursor) {
    List<String> values = new ArrayList<>();
    @Nullable Object[] row = cursor.row();
    for (int i = 0; i < row.length; i++) {
      Object value = row[i];
      Class<?> type = cursor.columns().get(i).type().javaClass();
      if (value != null && !type.isInstance(value)) {
        throw new AssertionError(value.getClass() + " in the column " + cursor.columns().get(i));
      }
      values.add(value == null ? "null" : Casts.toText(value));
    }
    if (values.size() != cursor.columns().size()) {
      throw new AssertionError(values + " for " + cursor.columns());
    }
    return String.join(" | ", values);
  }

  @Override
  public void close() {
    session.close();
    service.close();
  }

  /** Lets nobody in. */
  private static final class Nobody implements Authenticator {
    @Override
    public Authentication authenticate(String tenant, byte[] key) {
      return Authentication.Refused.REFUSED;
    }

    @Override
    public Authentication authenticateToken(byte[] key) {
      return Authentication.Refused.REFUSED;
    }

    @Override
    public Authentication authenticateAnonymous() {
      return Authentication.Refused.REFUSED;
    }
  }

  /** Notes nothing. */
  private static final class Audit implements AccessAudit {
    @Override
    public void loginAccepted(Identity identity, Door door, SocketAddress from) {}

    @Override
    public void loginRefused(String shown, Door door, SocketAddress from) {}

    @Override
    public void requestRefused(Identity identity, Door door, String object, String reason) {}

    @Override
    public void unlockForced(Identity identity, Door door, String object) {}
  }
}
