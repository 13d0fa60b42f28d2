package io.keyvalueserve.bench.infinispan;

import org.infinispan.api.annotations.indexing.Basic;
import org.infinispan.api.annotations.indexing.Indexed;
import org.infinispan.protostream.annotations.ProtoFactory;
import org.infinispan.protostream.annotations.ProtoField;
import org.infinispan.protostream.annotations.ProtoName;

/** A record of {@code kvs bench queries}, with the paper's three indexes. */
@Indexed
@ProtoName("Person")
final class InfinispanPerson {
  @ProtoField(number = 1, defaultValue = "0")
  final int id;

  @Basic
  @ProtoField(2)
  final String name;

  @Basic
  @ProtoField(number = 3, defaultValue = "0")
  final int age;

  @ProtoField(4)
  final String password;

  @Basic
  @ProtoField(5)
  final String organization;

  @ProtoField(6)
  final String acronym;

  @ProtoField(number = 7, defaultValue = "0")
  final int employees;

  @ProtoFactory
  InfinispanPerson(
      int id,
      String name,
      int age,
      String password,
      String organization,
      String acronym,
      int employees) {
    this.id = id;
    this.name = name;
    this.age = age;
    this.password = password;
    this.organization = organization;
    this.acronym = acronym;
    this.employees = employees;
  }
}
