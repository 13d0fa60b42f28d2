package io.keyvalueserve.acceptance;

/**
 * A tenant as the one who made it knows it.
 *
 * @param accessKey {@code kvs_<id>_<secret>}
 */
record Tenant(String name, String accessKey) {
  /** The public half of the access key. */
  String keyId() {
    return keyIdOf(accessKey);
  }

  /** The same tenant, by another of its keys. */
  Tenant with(String otherKey) {
    return new Tenant(name, otherKey);
  }

  static String keyIdOf(String accessKey) {
    String[] parts = accessKey.split("_", 3);
    if (parts.length != 3 || !parts[0].equals("kvs")) {
      throw new IllegalArgumentException("an access key looks like kvs_<id>_<secret>");
    }
    return parts[1];
  }

  @Override
  public String toString() {
    return name;
  }
}
