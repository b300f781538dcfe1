package dev.leeway.routing.context;

import dev.leeway.gate.GtidSet;
import org.jspecify.annotations.Nullable;

/** A transaction that may write, as far as code beside its connection may know it. */
public interface OpenTransaction {
  /** Has something done when the transaction has ended. */
  void atEnd(AtEnd action);

  /** Exactly one of the two is called, once, by the thread that ends the transaction. */
  interface AtEnd {
    /**
     * It was committed.
     *
     * @param gtids what came back for it; null if nothing did
     * @param complete false if it wrote, or may have written, something without a GTID
     */
    void committed(@Nullable GtidSet gtids, boolean complete);

    /** It was not committed, or nobody knows. */
    void dropped(String why);
  }
}
