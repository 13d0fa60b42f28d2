package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostPortTest {
  @Test
  void addressesOfIpv6HaveBrackets() {
    assertThat(HostPort.of("127.0.0.1", 6379)).isEqualTo("127.0.0.1:6379");
    assertThat(HostPort.of("kvs.example.com", 80)).isEqualTo("kvs.example.com:80");
    assertThat(HostPort.of("::1", 6379)).isEqualTo("[::1]:6379");
    assertThat(HostPort.of("[::1]", 6379)).isEqualTo("[::1]:6379");
  }
}
