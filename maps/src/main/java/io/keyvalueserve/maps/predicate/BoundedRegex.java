package io.keyvalueserve.maps.predicate;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.query.impl.predicates.AbstractPredicate;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import com.hazelcast.query.impl.predicates.PredicateParts;
import java.io.IOException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A regular expression that values match as a whole, in so many steps as {@link CountedText}. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class BoundedRegex extends AbstractPredicate {
  private static final long serialVersionUID = 1;

  private @Nullable String regex;
  private transient volatile @Nullable Pattern pattern;

  BoundedRegex() {}

  BoundedRegex(String attribute, @Nullable String regex) {
    super(attribute);
    this.regex = regex;
  }

  @Nullable String regex() {
    return regex;
  }

  @Override
  protected boolean applyForSingleAttributeValue(@Nullable Comparable value) {
    String expression = regex;
    if (value == null || expression == null) {
      return value == null && expression == null;
    }
    Pattern compiled = pattern;
    if (compiled == null) {
      compiled = Pattern.compile(expression);
      pattern = compiled;
    }
    return compiled.matcher(new CountedText((String) value)).matches();
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    super.writeData(out);
    out.writeString(regex);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    super.readData(in);
    regex = in.readString();
  }

  @Override
  public int getClassId() {
    return PredicateDataSerializerHook.REGEX_PREDICATE;
  }

  @Override
  public String toString() {
    return PredicateParts.attribute(this) + " REGEX '" + regex + "'";
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BoundedRegex;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BoundedRegex that
        && super.equals(other)
        && Objects.equals(regex, that.regex);
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + Objects.hashCode(regex);
  }
}
