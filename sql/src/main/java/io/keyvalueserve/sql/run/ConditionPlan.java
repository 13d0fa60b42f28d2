package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.sql.expr.Env;

/** A condition whose values are known when a statement runs. Immutable. */
public interface ConditionPlan {
  /** Is true for each entry. */
  ConditionPlan ALL =
      new ConditionPlan() {
        @Override
        public Condition bind(Env env) {
          return new Condition.Constant(true);
        }

        @Override
        public String toString() {
          return "true";
        }
      };

  /** Returns the condition with its values. */
  Condition bind(Env env);
}
