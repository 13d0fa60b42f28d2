package io.keyvalueserve.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The paths of maps in the API. */
final class MapPath {
  private MapPath() {}

  /**
   * The path of a map that a person has named.
   *
   * @param name as {@code acme/orders}
   * @throws ParameterException if it names no map
   */
  static String of(String name, CommandLine command) {
    int slash = name.indexOf('/');
    if (slash < 1 || slash == name.length() - 1) {
      throw new ParameterException(
          command, "'" + name + "' names no map: use TENANT/MAP, as acme/orders");
    }
    return allOf(name.substring(0, slash)) + "/" + AdminClient.part(name.substring(slash + 1));
  }

  /** The path of a tenant's maps. */
  static String allOf(String tenant) {
    return "/api/v1/tenants/" + AdminClient.part(tenant) + "/maps";
  }
}
