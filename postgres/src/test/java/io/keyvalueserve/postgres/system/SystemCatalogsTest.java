package io.keyvalueserve.postgres.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Goal: people and tools find the tenant's tables as they would in PostgreSQL. Method: the queries
 * that psql 15 sends for its commands, as {@code psql -E} shows them, and expressions of each kind.
 */
class SystemCatalogsTest {
  private final SystemQueries acme = new SystemQueries("acme");

  @Test
  void answersAllThatPsqlAsks() throws IOException {
    String recorded;
    try (InputStream in =
        Objects.requireNonNull(
            SystemCatalogsTest.class.getResourceAsStream("/io/keyvalueserve/postgres/psql.sql"))) {
      recorded = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<Statement> statements = Statement.split(recorded);
    assertThat(statements).hasSizeGreaterThan(60);
    for (Statement statement : statements) {
      assertThatCode(() -> acme.rows(statement.sql()))
          .as(statement.sql())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void showsOnlyTheTablesOfTheTenant() {
    String sql = "select relname from pg_class where relkind = 'r' and relnamespace = 2200";
    assertThat(acme.rows(sql + " order by 1"))
        .containsExactly("Customers", "globex/shared", "orders");
    assertThat(new SystemQueries("globex").rows(sql)).containsExactly("secret");
    assertThat(new SystemQueries("globex").rows("select to_regclass('orders')"))
        .containsExactly("");
    String columns =
        "select column_name, data_type, is_nullable from information_schema.columns"
            + " where table_name = 'orders' order by ordinal_position";
    assertThat(acme.rows(columns))
        .containsExactly(
            "id|bigint|NO",
            "customer|text|YES",
            "amount|numeric|YES",
            "paid|boolean|YES",
            "at|timestamp with time zone|YES");
    assertThat(new SystemQueries("globex").rows(columns)).isEmpty();
  }

  @Test
  void describesIndexesAndKeys() {
    assertThat(
            acme.rows(
                "select c.relname, pg_get_indexdef(i.indexrelid), i.indisprimary, i.indkey"
                    + " from pg_index i join pg_class c on c.oid = i.indexrelid"
                    + " where i.indrelid = 'orders'::regclass order by 1"))
        .containsExactly(
            "by_customer|CREATE INDEX by_customer ON public.orders USING btree (customer)|f|2",
            "by_zip|CREATE INDEX by_zip ON public.orders USING hash ((\"address.zip\"))|f|0",
            "orders_pkey|CREATE UNIQUE INDEX orders_pkey ON public.orders USING btree (id)|t|1");
    assertThat(
            acme.rows(
                "select conname, pg_get_constraintdef(oid) from pg_constraint"
                    + " where conrelid = '\"Customers\"'::regclass"))
        .containsExactly("Customers_pkey|PRIMARY KEY (__key)");
  }

  @Test
  void computesExpressions() {
    assertThat(value("1 + 2 * 3 - 4 / 2")).isEqualTo("5");
    assertThat(value("7 % 4 & 6 | 8")).isEqualTo("10");
    assertThat(value("null is null and not (1 = 2) or null")).isEqualTo("t");
    assertThat(value("null and true")).isEmpty();
    assertThat(value("1 in (1, null), 2 in (1, null), 2 not in (1, 3)")).isEqualTo("t||t");
    assertThat(value("2 = any(array[1,2]), 2 <> all('{1,2}'::int[])")).isEqualTo("t|f");
    assertThat(value("'abc' like 'a%' and 'a_c' like 'a\\_c' and 'ABC' ilike '_b_'"))
        .isEqualTo("t");
    assertThat(value("'abc' ~ '^(a|x)', 'abc' !~* 'B', 'x' operator(pg_catalog.~) 'x'"))
        .isEqualTo("t|f|t");
    assertThat(value("case when 1 > 2 then 'a' else 'b' end, case 3 when 3 then 'c' end"))
        .isEqualTo("b|c");
    assertThat(value("'1'::int + 1, cast(2.5 as int), true::text, 23::regtype"))
        .isEqualTo("2|2|true|integer");
    assertThat(value("(array['x','y'])[2], array[1,2] || 3, array_to_string(array[1,2],',')"))
        .isEqualTo("y|{1,2,3}|1,2");
    assertThat(value("array(select n from generate_series(1, 3) n)")).isEqualTo("{1,2,3}");
    assertThat(
            value(
                "(select (e.x).n from (select information_schema._pg_expandarray("
                    + "array[7]) as x) e)"))
        .isEqualTo("1");
    assertThat(value("coalesce(null, 'a'), nullif(1, 1), greatest(1, 3, 2)")).isEqualTo("a||3");
    assertThat(value("quote_ident('A b'), quote_literal('it''s'), format('%I=%L', 'x', 'y')"))
        .isEqualTo("\"A b\"|'it''s'|x='y'");
    assertThat(value("exists (select 1 from pg_class), 1 is distinct from null")).isEqualTo("t|t");
    assertThat(value("current_schemas(true), current_user, current_database()"))
        .isEqualTo("{pg_catalog,public}|acme|acme");
    assertThat(value("json_build_object('a', 1, 'b', array['x'])"))
        .isEqualTo("{\"a\" : 1, \"b\" : [\"x\"]}");
  }

  private String value(String expressions) {
    return acme.rows("select " + expressions + " /* pg_ */ where pg_table_is_visible(0)")
        .getFirst();
  }

  @Test
  void joinsGroupsSortsAndCombines() {
    String numbers = "from generate_series(1, 6) n";
    assertThat(
            acme.rows(
                "select n % 3 as k, count(*), sum(n), string_agg(n::text, '-' order by n desc),"
                    + " pg_typeof(1) "
                    + numbers
                    + " where n < 6 group by 1 having count(*) > 1 order by k desc"))
        .containsExactly("2|2|7|5-2|bigint", "1|2|5|4-1|bigint");
    assertThat(
            acme.rows(
                "with a as (select n "
                    + numbers
                    + "), b(m) as (values (2), (9))"
                    + " select a.n, b.m, pg_my_temp_schema() from a left join b on b.m = a.n"
                    + " where a.n <= 3 order by a.n desc limit 2 offset 1"))
        .containsExactly("2|2|0", "1||0");
    assertThat(
            acme.rows(
                "select n, row_number() over (partition by n % 2 order by n desc) r,"
                    + " pg_backend_pid() "
                    + numbers
                    + " order by n limit 3"))
        .containsExactly("1|3|7", "2|3|7", "3|2|7");
    assertThat(acme.rows("select 1 union select 1 union all select pg_backend_pid() order by 1"))
        .containsExactly("1", "7");
    assertThat(
            acme.rows(
                "select distinct on (n % 2) n, pg_backend_pid() "
                    + numbers
                    + " order by n % 2, n desc"))
        .containsExactly("6|7", "5|7");
    assertThat(
            acme.rows(
                "select c.relname, (select count(*) from pg_attribute a"
                    + " where a.attrelid = c.oid and a.attnum > 0) from pg_class c"
                    + " where c.relname in ('orders', 'Customers') order by 1"))
        .containsExactly("Customers|2", "orders|5");
    assertThat(
            acme.rows(
                "select c.relname, u.n from pg_index i join pg_class c on c.oid = i.indexrelid,"
                    + " lateral unnest(i.indkey) with ordinality as u(k, n)"
                    + " where c.relname = 'by_customer'"))
        .containsExactly("by_customer|1");
  }

  @Test
  void parametersHaveTheTypesOfWhatTheyAreComparedWith() {
    String sql =
        "select relname from pg_class where oid = $1 and relname = $2 and relkind = any($3)";
    assertThat(Objects.requireNonNull(acme.plan(sql)).parameters())
        .containsExactly(PgType.OID, PgType.NAME, PgType.CHAR_ARRAY);
    long oid = Snapshot.oidOf("orders");
    assertThat(acme.rows(sql, oid, "orders", List.of("r"))).containsExactly("orders");
    assertThat(acme.rows(sql, oid, "orders", List.of("v"))).isEmpty();
  }

  @Test
  void leavesQueriesOnTablesToOthers() {
    for (String sql :
        List.of(
            "select * from orders",
            "select 1",
            "select lower(name), count(*) from orders group by 1",
            "select * from orders where version = 'pg_catalog'",
            "insert into pg_x values (1)")) {
      assertThat(acme.plan(sql)).as(sql).isNull();
    }
    assertThatThrownBy(() -> acme.plan("select * from pg_catalog.pg_class c, orders o"))
        .isInstanceOf(PostgresException.class)
        .hasMessageContaining("cannot be joined");
  }

  @Test
  void tellsWhatIsWrongAndWhere() {
    assertThatThrownBy(() -> acme.plan("select no_such from pg_class"))
        .isInstanceOfSatisfying(
            PostgresException.class,
            e -> {
              assertThat(e.state()).isEqualTo("42703");
              assertThat(e.position()).isEqualTo(8);
            });
    assertThatThrownBy(() -> acme.plan("select * from pg_catalog.nothing"))
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> acme.plan("select pg_catalog.f(1)"))
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> acme.rows("select 1 / 0, pg_backend_pid()"))
        .hasMessageContaining("division by zero");
  }

  @Test
  void boundsTheWorkOfAQuery() {
    assertThatThrownBy(
            () ->
                acme.rows(
                    "select count(*), pg_backend_pid() from generate_series(1, 10000) a,"
                        + " generate_series(1, 10000) b"))
        .hasMessageContaining("too complex");
    assertThatThrownBy(
            () ->
                acme.rows(
                    "select pg_backend_pid(), '"
                        + "a".repeat(10_000)
                        + "' || i from generate_series(1, 10000) i"))
        .as("text that is kept")
        .hasMessageContaining("too complex");
    assertThat(
            acme.rows(
                "select pg_backend_pid() from generate_series(1, 1000) i where 'x' ~ ('y' || i)"))
        .isEmpty();
    assertThatThrownBy(
            () -> acme.rows("select pg_typeof('" + "a".repeat(3000) + "' ~ 'a*a*a*a*a*b')"))
        .hasMessageContaining("too complex");
    assertThatThrownBy(
            () ->
                acme.plan(
                    "select pg_catalog.pg_typeof(" + "(".repeat(500) + "1" + ")".repeat(500) + ")"))
        .isInstanceOf(PostgresException.class)
        .hasMessageContaining("nested too deeply");
    String doubled = "'0123456789012345678901234567890123456789'";
    String nested = "select " + doubled + " as x";
    for (int i = 0; i < 30; i++) {
      nested = "select x || x as x from (" + nested + ") q" + i;
    }
    String bomb = "select length(x), pg_backend_pid() from (" + nested + ") z";
    assertThatThrownBy(() -> acme.rows(bomb)).hasMessageContaining("too long");
  }
}
