package io.keyvalueserve.server.config;

/**
 * How the HTTP door is set up.
 *
 * @param maxConnections most open connections that have shown a key; 0 for what fits the process
 */
public record HttpSettings(int maxConnections) {}
