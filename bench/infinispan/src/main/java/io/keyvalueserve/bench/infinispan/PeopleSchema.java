package io.keyvalueserve.bench.infinispan;

import org.infinispan.protostream.GeneratedSchema;
import org.infinispan.protostream.annotations.ProtoSchema;

/** How people are written. The annotation processor makes the class. */
@ProtoSchema(
    className = "PeopleSchemaImpl",
    schemaFileName = "people.proto",
    schemaFilePath = "/",
    schemaPackageName = PeopleSchema.PACKAGE,
    includeClasses = InfinispanPerson.class)
interface PeopleSchema extends GeneratedSchema {
  String PACKAGE = "bench";
  String PERSON = PACKAGE + ".Person";
}
