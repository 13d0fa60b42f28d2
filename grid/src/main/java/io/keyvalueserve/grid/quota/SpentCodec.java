package io.keyvalueserve.grid.quota;

import com.hazelcast.internal.util.UUIDSerializationUtil;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.billing.spending.SpentByAll;
import io.keyvalueserve.billing.spending.SpentHere;
import java.io.IOException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The form in which members tell each other what they spend. A month is a number: since year 0. */
final class SpentCodec {
  private static final int MONTHS = 12;

  private SpentCodec() {}

  static void write(ObjectDataOutput out, SpentHere said) throws IOException {
    UUIDSerializationUtil.writeUUID(out, said.member());
    UUIDSerializationUtil.writeUUID(out, said.life());
    out.writeInt(said.tenants().size());
    for (SpentHere.OfTenant spent : said.tenants()) {
      out.writeInt(spent.tenantNumber());
      out.writeInt(month(spent.month()));
      out.writeLong(spent.spentNanos());
      out.writeInt(spent.marks().size());
      for (SpentHere.Mark mark : spent.marks()) {
        out.writeLong(mark.interval());
        out.writeLong(mark.spentNanos());
      }
    }
  }

  static SpentHere readHere(ObjectDataInput in) throws IOException {
    UUID member = UUIDSerializationUtil.readUUID(in);
    UUID life = UUIDSerializationUtil.readUUID(in);
    int count = in.readInt();
    List<SpentHere.OfTenant> tenants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int tenant = in.readInt();
      YearMonth month = month(in.readInt());
      long spent = in.readLong();
      List<SpentHere.Mark> marks = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        marks.add(new SpentHere.Mark(in.readLong(), in.readLong()));
      }
      tenants.add(new SpentHere.OfTenant(tenant, month, spent, marks));
    }
    return new SpentHere(member, life, tenants);
  }

  static void write(ObjectDataOutput out, SpentByAll said) throws IOException {
    out.writeInt(said.tenants().size());
    for (SpentByAll.OfTenant total : said.tenants()) {
      out.writeInt(total.tenantNumber());
      out.writeInt(month(total.month()));
      out.writeLong(total.totalNanos());
      out.writeLong(total.ownNanos());
      out.writeInt(total.members());
    }
  }

  static SpentByAll readByAll(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<SpentByAll.OfTenant> tenants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tenants.add(
          new SpentByAll.OfTenant(
              in.readInt(), month(in.readInt()), in.readLong(), in.readLong(), in.readInt()));
    }
    return new SpentByAll(tenants);
  }

  private static int month(YearMonth month) {
    return month.getYear() * MONTHS + month.getMonthValue() - 1;
  }

  private static YearMonth month(int number) {
    return YearMonth.of(Math.floorDiv(number, MONTHS), Math.floorMod(number, MONTHS) + 1);
  }
}
