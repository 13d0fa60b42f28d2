package io.keyvalueserve.grid.query;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.Mapping.MappingColumn;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tables of one tenant over maps of the grid. */
public final class GridQueryCatalog implements QueryCatalog {
  private static final int MOST_COLUMNS = 500;

  private final GridQueries queries;
  private final Identity identity;
  private final GrantDirectory grants;

  /** Creates the catalogue of a tenant. */
  public GridQueryCatalog(GridQueries queries, Identity identity, GrantDirectory grants) {
    this.queries = queries;
    this.identity = identity;
    this.grants = grants;
  }

  @Override
  public Optional<QueryTable> find(String name) {
    Mapping mapping = queries.mappings().of(identity.number()).get(name);
    if (mapping != null) {
      return TableMap.find(mapping.map(), identity, grants).map(map -> table(map, mapping));
    }
    return TableMap.find(name, identity, grants)
        .filter(map -> queries.exists(map.gridName()))
        .map(map -> inferred(name, map));
  }

  /** Returns a table whose columns are what a mapping says, or what its entries have. */
  private QueryTable table(TableMap map, Mapping mapping) {
    if (!mapping.columns().isEmpty()) {
      return made(map, mapping, TableShape.of(mapping));
    }
    TableShape found = queries.shapeOf(map, identity.number());
    if (mapping.options().isEmpty()) {
      return made(map, mapping, found);
    }
    Map<String, String> options = new HashMap<>(found.key().options(true));
    options.putAll(found.value().options(false));
    options.putAll(mapping.options());
    EntryFormat key = EntryFormat.of(true, options);
    EntryFormat value = EntryFormat.of(false, options);
    boolean isSame = key.equals(found.key()) && value.equals(found.value());
    TableShape shape =
        isSame
            ? found
            : TableShape.of(
                new Mapping(mapping.name(), mapping.map(), plain(key, value), options, false));
    return made(map, mapping, shape);
  }

  private QueryTable made(TableMap map, Mapping mapping, TableShape shape) {
    return shape.value().kind() == EntryFormat.Kind.HASH
        ? new GridHashTable(queries, map, mapping, shape, queries.hashes(map, identity))
        : new GridQueryTable(queries, map, mapping, shape);
  }

  /** Returns columns of the whole key and value. */
  private static List<MappingColumn> plain(EntryFormat key, EntryFormat value) {
    Column ofKey = TableShape.whole(true, key, false);
    Column ofValue = TableShape.whole(false, value, false);
    return List.of(
        new MappingColumn(ofKey.name(), ofKey.type(), TableShape.KEY_COLUMN),
        new MappingColumn(ofValue.name(), ofValue.type(), TableShape.VALUE_COLUMN));
  }

  private QueryTable inferred(String name, TableMap map) {
    TableShape shape = queries.shapeOf(map, identity.number());
    return made(map, definition(name, map, shape), shape);
  }

  private static Mapping definition(String name, TableMap map, TableShape shape) {
    List<MappingColumn> columns = new ArrayList<>();
    for (Column column : shape.columns()) {
      if (!column.isHidden()) {
        columns.add(
            new MappingColumn(
                column.name(), column.type(), TableShape.externalName(column.field())));
      }
    }
    Map<String, String> options = new HashMap<>(shape.key().options(true));
    options.putAll(shape.value().options(false));
    return new Mapping(
        name,
        map.access() == null ? map.name().map().value() : map.gridName(),
        columns,
        options,
        true);
  }

  @Override
  public List<Mapping> mappings() {
    Map<String, Mapping> all = new TreeMap<>();
    for (QualifiedName map : queries.mapsOf(identity.tenant())) {
      String name = map.map().value();
      all.put(name, new Mapping(name, name, List.of(), Map.of(), true));
    }
    for (QualifiedName map : grants.grantedTo(identity)) {
      if (queries.mayExist(map.toString())) {
        String name = map.toString();
        all.put(name, new Mapping(name, name, List.of(), Map.of(), true));
      }
    }
    all.putAll(queries.mappings().of(identity.number()));
    return all.values().stream().sorted(Comparator.comparing(Mapping::name)).toList();
  }

  @Override
  public boolean create(Mapping mapping, boolean replaces) {
    if (mapping.columns().size() > MOST_COLUMNS) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE, "a mapping may have " + MOST_COLUMNS + " columns");
    }
    TableMap map =
        TableMap.find(mapping.map(), identity, grants)
            .orElseThrow(
                () ->
                    new QueryException(
                        QueryException.Kind.BAD_NAME,
                        "'"
                            + mapping.map()
                            + "' is not the name of a map: up to 128 letters, digits, '.', '-', '_'"
                            + " and ':'; a map of another tenant is OWNER/MAP and needs a grant"));
    Mapping stored =
        mapping.columns().isEmpty() || mapping.options().isEmpty()
            ? mapping
            : withBothFormats(mapping, map);
    if (!stored.columns().isEmpty()) {
      TableShape _ = TableShape.of(stored);
    }
    return queries.mappings().create(identity.number(), stored, replaces);
  }

  /** Adds the format of keys or values that the mapping leaves open, if entries show it. */
  private Mapping withBothFormats(Mapping mapping, TableMap map) {
    if (mapping.options().containsKey(EntryFormat.KEY)
        && mapping.options().containsKey(EntryFormat.VALUE)) {
      return mapping;
    }
    TableShape found =
        queries.exists(map.gridName())
            ? queries.shapeOf(map, identity.number())
            : ShapeFinder.empty();
    Map<String, String> options = new HashMap<>();
    if (!mapping.options().containsKey(EntryFormat.KEY)) {
      options.putAll(found.key().options(true));
    }
    if (!mapping.options().containsKey(EntryFormat.VALUE)) {
      options.putAll(found.value().options(false));
    }
    options.putAll(mapping.options());
    return new Mapping(mapping.name(), mapping.map(), mapping.columns(), options, false);
  }

  @Override
  public boolean drop(String name) {
    return queries.mappings().drop(identity.number(), name);
  }

  @Override
  public boolean createIndex(String table, TableIndex index, QueryControl control) {
    if (!(required(table) instanceof GridQueryTable of)) {
      throw new QueryException(QueryException.Kind.UNSUPPORTED, "fields of hashes have no indexes");
    }
    of.map().require(Rights.ADMIN);
    if (of.indexes().stream().anyMatch(each -> each.name().equals(index.name()))) {
      return false;
    }
    of.requireIndexable(index.attributes());
    IndexConfig config = new IndexConfig(index.isSorted() ? IndexType.SORTED : IndexType.HASH);
    config.setName(index.name());
    index.attributes().forEach(config::addAttribute);
    try {
      queries.addIndex(of.map(), config);
    } catch (IllegalArgumentException | HazelcastException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "the index cannot be made: its attributes are to be fields of the map's values, as they"
              + " are serialized; text that Redis clients wrote has none",
          e);
    }
    return true;
  }

  @Override
  public boolean dropIndex(String table, String index) {
    if (!(required(table) instanceof GridQueryTable of)) {
      throw new QueryException(QueryException.Kind.UNSUPPORTED, "fields of hashes have no indexes");
    }
    of.map().require(Rights.ADMIN);
    if (of.indexes().stream().noneMatch(each -> each.name().equals(index))) {
      return false;
    }
    throw new QueryException(
        QueryException.Kind.UNSUPPORTED,
        "an index stays as long as its map: destroy the map to remove its indexes");
  }

  private QueryTable required(String table) {
    return find(table)
        .orElseThrow(
            () ->
                new QueryException(
                    QueryException.Kind.BAD_NAME, "there is no table '" + table + "'"));
  }
}
