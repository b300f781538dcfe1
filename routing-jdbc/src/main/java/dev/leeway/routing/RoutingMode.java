package dev.leeway.routing;

/** Whether decisions are carried out. */
public enum RoutingMode {
  /** Every statement goes where it was decided. */
  ROUTE,
  /**
   * Decisions are made and counted, and the primary still reads everything: a way to see, before
   * anything depends on it, how much would leave the primary and why the rest would not.
   */
  SHADOW
}
