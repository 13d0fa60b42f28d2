package io.keyvalueserve.sql.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/** Finds names as they are written, or else in upper and lower case. Immutable. */
final class NameMatcher implements SqlNameMatcher {
  @Override
  public boolean isCaseSensitive() {
    return false;
  }

  @Override
  public boolean matches(String string, String name) {
    return string.equalsIgnoreCase(name);
  }

  @Override
  public <K extends List<String>, V> @Nullable V get(
      Map<K, V> map, List<String> prefix, List<String> names) {
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(names);
    @SuppressWarnings("unlikely-arg-type")
    V exact = map.get(whole);
    if (exact != null) {
      return exact;
    }
    for (Map.Entry<K, V> entry : map.entrySet()) {
      if (String.join("\0", entry.getKey()).equalsIgnoreCase(String.join("\0", whole))) {
        return entry.getValue();
      }
    }
    return null;
  }

  @Override
  public String bestString() {
    throw new UnsupportedOperationException("this matcher does not record what it finds");
  }

  @Override
  public @Nullable RelDataTypeField field(RelDataType row, String name) {
    RelDataTypeField found = null;
    for (RelDataTypeField field : row.getFieldList()) {
      if (field.getName().equals(name)) {
        return field;
      }
      if (found == null && field.getName().equalsIgnoreCase(name)) {
        found = field;
      }
    }
    return found;
  }

  @Override
  public int frequency(Iterable<String> names, String name) {
    int exact = 0;
    int similar = 0;
    for (String one : names) {
      if (one.equals(name)) {
        exact++;
      } else if (one.equalsIgnoreCase(name)) {
        similar++;
      }
    }
    return exact > 0 ? exact : similar;
  }

  @Override
  public int indexOf(Iterable<String> names, String name) {
    Map<String, Integer> places = new HashMap<>();
    int similar = -1;
    int place = 0;
    for (String one : names) {
      places.putIfAbsent(one, place);
      if (similar < 0 && one.equalsIgnoreCase(name)) {
        similar = place;
      }
      place++;
    }
    return places.getOrDefault(name, similar);
  }

  @Override
  public Set<String> createSet() {
    return new HashSet<>();
  }
}
