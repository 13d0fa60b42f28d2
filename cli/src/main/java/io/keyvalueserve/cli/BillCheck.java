package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.billing.ledger.Difference;
import io.keyvalueserve.billing.ledger.EntryHash;
import io.keyvalueserve.billing.ledger.EntryJson;
import io.keyvalueserve.billing.ledger.KeptBill;
import io.keyvalueserve.billing.ledger.LedgerCodec;
import io.keyvalueserve.billing.ledger.LedgerHead;
import io.keyvalueserve.billing.ledger.MalformedEntryException;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kvs bill check} */
@Command(
    name = "check",
    description = {
      "Checks a bill that was kept against an exported ledger, and asks no server.",
      "Ends with 1 if anything differs, and names the first difference."
    },
    mixinStandardHelpOptions = true)
final class BillCheck implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TENANT", description = "Whose ledger it is.")
  private String tenant = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "All of the ledger, as 'kvs bill export' writes it as json.")
  private Path file = Path.of("");

  @Option(
      names = "--rates",
      required = true,
      paramLabel = "FILE",
      description = "The rate cards, as 'kvs rates show --json' prints them.")
  private Path rates = Path.of("");

  @Option(names = "--month", required = true, paramLabel = "MONTH", description = "As 2030-01.")
  private YearMonth month = YearMonth.of(2000, 1);

  @Option(
      names = "--entries",
      required = true,
      paramLabel = "N",
      description = "The head's number of entries.")
  private long entries;

  @Option(names = "--hash", required = true, paramLabel = "HASH", description = "The head's hash.")
  private String hash = "";

  @Option(
      names = "--total",
      required = true,
      paramLabel = "AMOUNT",
      description = "The total of the bill.")
  private BigDecimal total = BigDecimal.ZERO;

  @Mixin private Output out = new Output();

  @Override
  public Integer call() {
    Optional<Difference> difference;
    try {
      KeptBill kept = new KeptBill(new LedgerHead(entries, new EntryHash(hash)), total);
      RateCards cards = RateCardsCodec.decode(Files.readString(rates));
      List<byte[]> stored = stored();
      difference =
          KeptBill.verify(new TenantName(tenant), number(stored), stored, month, cards, kept);
    } catch (IOException e) {
      throw new Failure("a file cannot be read: " + FileTrouble.naming(e));
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    }
    ObjectNode answer = AdminClient.object().put("valid", difference.isEmpty());
    difference.ifPresent(first -> answer.put("difference", first.text()));
    return BillCommand.tell(answer, out);
  }

  private List<byte[]> stored() throws IOException {
    List<byte[]> stored = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      try {
        stored.add(EntryJson.bytes(line));
      } catch (IllegalArgumentException e) {
        throw new Failure(file + ", line " + (stored.size() + 1) + ": " + e.getMessage());
      }
    }
    return stored;
  }

  /** The tenant's, as the ledger has it. */
  private int number(List<byte[]> stored) {
    if (stored.isEmpty()) {
      throw new Failure(file + " has no entries");
    }
    try {
      return LedgerCodec.decode(stored.getFirst()).tenantNumber();
    } catch (MalformedEntryException e) {
      return 1; // whichever: the entry is the first difference
    }
  }
}
