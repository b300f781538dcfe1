package dev.leeway.annotation.processor;

/**
 * What the processor can report. The ids are stable: build logs, suppressions and the guide use
 * them.
 */
enum Diagnostic {
  /** A public method of a routed repository says nothing. */
  UNDECLARED("LW-101"),
  /** Two intents where one can be true. */
  CONTRADICTION("LW-102"),
  /** A duration that cannot be read. */
  DURATION("LW-103"),
  /** A primary read without its reason. */
  REASON("LW-104"),
  /** A call that does not leave its object, so that nothing can route it. */
  SELF_CALL("LW-105"),
  /** An intent on something that no caller can be intercepted at. */
  UNREACHABLE("LW-106"),
  /** A class whose routing subclass cannot be written. */
  SUBCLASS("LW-107"),
  /** A staleness that no replica can prove. */
  ZERO_STALENESS("LW-108"),
  /** An option of the processor that is not understood. */
  OPTION("LW-109"),
  /** The inventory could not be written. */
  INVENTORY("LW-110");

  private final String id;

  Diagnostic(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  String message(String text) {
    return "[" + id + "] " + text;
  }
}
