package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

import java.util.function.DoubleUnaryOperator;

/** The library {@code math}. Random numbers begin with the same seed in every run. */
final class MathLib {
  static final LuaTable TABLE =
      new Library(0x300)
          .add("abs", unary(Math::abs))
          .add("acos", unary(Math::acos))
          .add("asin", unary(Math::asin))
          .add("atan", unary(Math::atan))
          .add("atan2", (run, args) -> number(Math.atan2(args.number(1), args.number(2))))
          .add("ceil", unary(Math::ceil))
          .add("cos", unary(Math::cos))
          .add("cosh", unary(Math::cosh))
          .add("deg", unary(x -> x / (Math.PI / 180)))
          .add("exp", unary(Math::exp))
          .add("floor", unary(Math::floor))
          .add("fmod", MathLib::fmod)
          .add("mod", MathLib::fmod)
          .add("frexp", MathLib::frexp)
          .add("huge", LuaNumber.of(Double.POSITIVE_INFINITY))
          .add("ldexp", MathLib::ldexp)
          .add("log", unary(Math::log))
          .add("log10", unary(Math::log10))
          .add("max", MathLib::max)
          .add("min", MathLib::min)
          .add("modf", MathLib::modf)
          .add("pi", LuaNumber.of(Math.PI))
          .add("pow", (run, args) -> number(Run.power(args.number(1), args.number(2))))
          .add("rad", unary(x -> x * (Math.PI / 180)))
          .add("random", MathLib::random)
          .add("randomseed", MathLib::randomSeed)
          .add("sin", unary(Math::sin))
          .add("sinh", unary(Math::sinh))
          .add("sqrt", unary(Math::sqrt))
          .add("tan", unary(Math::tan))
          .add("tanh", unary(Math::tanh))
          .protect();

  private MathLib() {}

  private static LuaValue[] number(double d) {
    return one(LuaNumber.of(d));
  }

  private static NativeFunction.Body unary(DoubleUnaryOperator operator) {
    return (run, args) -> number(operator.applyAsDouble(args.number(1)));
  }

  private static LuaValue[] fmod(Run run, Args args) {
    return number(args.number(1) % args.number(2));
  }

  private static LuaValue[] frexp(Run run, Args args) {
    double d = args.number(1);
    if (d == 0 || Double.isNaN(d) || Double.isInfinite(d)) {
      return new LuaValue[] {LuaNumber.of(d), LuaNumber.of(0)};
    }
    int exponent = Math.getExponent(d);
    double scaled = d;
    int extra = 0;
    if (exponent < Double.MIN_EXPONENT) {
      scaled = d * 0x1p54;
      extra = 54;
      exponent = Math.getExponent(scaled);
    }
    return new LuaValue[] {
      LuaNumber.of(Math.scalb(scaled, -exponent - 1)), LuaNumber.of((long) exponent + 1 - extra)
    };
  }

  private static LuaValue[] ldexp(Run run, Args args) {
    double d = args.number(1);
    int exponent = (int) args.integer(2);
    // In two steps, as one of Java is bounded.
    int half = Math.clamp(exponent, -2200, 2200) / 2;
    int other = Math.clamp(exponent, -2200, 2200) - half;
    return number(Math.scalb(Math.scalb(d, half), other));
  }

  private static LuaValue[] max(Run run, Args args) {
    double most = args.number(1);
    for (int i = 2; i <= args.count(); i++) {
      double d = args.number(i);
      if (d > most) {
        most = d;
      }
    }
    return number(most);
  }

  private static LuaValue[] min(Run run, Args args) {
    double least = args.number(1);
    for (int i = 2; i <= args.count(); i++) {
      double d = args.number(i);
      if (d < least) {
        least = d;
      }
    }
    return number(least);
  }

  private static LuaValue[] modf(Run run, Args args) {
    double d = args.number(1);
    if (Double.isInfinite(d)) {
      return new LuaValue[] {LuaNumber.of(d), LuaNumber.of(d > 0 ? 0.0 : -0.0)};
    }
    double whole = d > 0 ? Math.floor(d) : Math.ceil(d);
    return new LuaValue[] {LuaNumber.of(whole), LuaNumber.of(Math.copySign(d - whole, d))};
  }

  private static LuaValue[] random(Run run, Args args) {
    double r = run.random.next();
    return switch (args.count()) {
      case 0 -> number(r);
      case 1 -> {
        int to = (int) args.integer(1);
        if (to < 1) {
          throw args.error(1, "interval is empty");
        }
        yield number(Math.floor(r * to) + 1);
      }
      case 2 -> {
        int from = (int) args.integer(1);
        int to = (int) args.integer(2);
        if (from > to) {
          throw args.error(2, "interval is empty");
        }
        yield number(Math.floor(r * ((double) to - from + 1)) + from);
      }
      default -> throw run.error("wrong number of arguments");
    };
  }

  private static LuaValue[] randomSeed(Run run, Args args) {
    run.random.seed((int) args.integer(1));
    return Args.NONE;
  }
}
