package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A schema of the document that describes the API.
 *
 * @param name its name there
 */
record ApiSchema(String name, JsonNode schema) {
  /** As the document has it that the server is built with. */
  static ApiSchema of(String name) {
    return of(HttpServerUnderTest.openApi(), name);
  }

  /** As a document has it. */
  static ApiSchema of(JsonNode api, String name) {
    return new ApiSchema(name, api.at("/components/schemas").path(name));
  }

  /** Every field that the schema requires is there, and no other than it names. */
  void assertIsThatOf(JsonNode value) {
    assertIsThatOf(value, schema, name);
  }

  private static void assertIsThatOf(JsonNode value, JsonNode schema, String path) {
    if (schema.path("type").asText().equals("array")) {
      value.forEach(item -> assertIsThatOf(item, schema.path("items"), path + "[]"));
    }
    for (JsonNode name : schema.path("required")) {
      assertThat(value.has(name.asText())).as("%s.%s", path, name.asText()).isTrue();
    }
    if (schema.has("properties")) {
      value
          .properties()
          .forEach(
              field -> {
                JsonNode of = schema.path("properties").path(field.getKey());
                assertThat(of.isMissingNode()).as("%s.%s", path, field.getKey()).isFalse();
                assertIsThatOf(field.getValue(), of, path + "." + field.getKey());
              });
    }
  }
}
