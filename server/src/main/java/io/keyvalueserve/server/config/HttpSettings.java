package io.keyvalueserve.server.config;

import java.util.List;

/**
 * The settings of the HTTP door.
 *
 * @param maxConnections most open connections that have shown a key; 0 for what fits the process
 * @param origins whose web pages may send changes, in addition to the server's own; as browsers
 *     write them
 */
public record HttpSettings(int maxConnections, List<String> origins) {
  public HttpSettings {
    origins = List.copyOf(origins);
  }
}
