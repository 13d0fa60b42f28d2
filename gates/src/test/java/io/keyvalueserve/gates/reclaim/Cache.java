package io.keyvalueserve.gates.reclaim;

/** A memory that is too small: what is not there is fetched and put, and something else goes. */
interface Cache {
  /**
   * Asks for a key.
   *
   * @param key unique over all tenants
   * @return whether it was there
   */
  boolean access(int tenant, int key, int nowSeconds);
}
