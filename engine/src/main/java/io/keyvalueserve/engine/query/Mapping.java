package io.keyvalueserve.engine.query;

import java.util.List;
import java.util.Map;

/**
 * How a map's entries are rows of a table.
 *
 * @param name the table's name
 * @param map the map's name, with its tenant's before a slash if it is another's
 * @param columns in their order; empty if they are to be found in the entries
 * @param options as in {@code CREATE MAPPING}: {@code keyFormat} and {@code valueFormat} are one of
 *     {@code varchar}, {@code int}, {@code bigint} and other names of types, {@code json}, {@code
 *     json-flat}, {@code compact}, {@code portable}, {@code java}, {@code hash}; with their
 *     parameters, as {@code valueCompactTypeName}
 * @param isInferred whether nobody created it: the table stands for the map as it is
 */
public record Mapping(
    String name,
    String map,
    List<MappingColumn> columns,
    Map<String, String> options,
    boolean isInferred) {
  public Mapping {
    columns = List.copyOf(columns);
    options = Map.copyOf(options);
  }

  /**
   * A column as it was declared.
   *
   * @param externalName the field: {@code __key}, {@code this}, {@code __key.id} or {@code
   *     this.name}; empty for {@code this.} and the column's name
   */
  public record MappingColumn(String name, FieldType type, String externalName) {}
}
