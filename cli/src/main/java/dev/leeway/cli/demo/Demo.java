package dev.leeway.cli.demo;

import dev.leeway.cli.terminal.Console;
import dev.leeway.cli.terminal.Task;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RouteDecision;
import dev.leeway.samples.shop.Shop;
import dev.leeway.samples.shop.naive.NaiveSplitter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs the shop on replicas that stay behind, once without Leeway and once with it. */
public final class Demo {
  /** Requests of the listing load for each iteration of the six queries. */
  private static final int LOAD_PER_ITERATION = 20;

  private static final Map<String, String> SENTENCES =
      Arrays.stream(Reason.values()).collect(Collectors.toMap(Reason::name, Reason::sentence));

  private final Console console;
  private final ShopCluster cluster;
  private final int iterations;
  private final String primaryUuid;

  /**
   * A demo on a cluster that was started for it.
   *
   * @param iterations how often each query runs in each mode
   */
  public Demo(Console console, ShopCluster cluster, int iterations) {
    this.console = console;
    this.cluster = cluster;
    this.iterations = iterations;
    this.primaryUuid = cluster.primaryUuid();
  }

  /** How many customers and products the shop must have: each run's own. */
  public static int customers(int iterations) {
    return 2 * iterations + 1;
  }

  /** Measures. Everything it opens is closed when it returns. */
  public DemoResult run() {
    cluster.fallBehind(console);
    try (Leeway leeway = cluster.leeway(console)) {
      Map<Mode, Map<ShopQuery, Tally>> queries = new EnumMap<>(Mode.class);
      queries.put(Mode.NAIVE, runNaive());
      cluster.awaitServing(console, leeway);
      Observer observer = new Observer(() -> reason(leeway));
      try (Shop shop = Shop.on(leeway, Witness.of(leeway.dataSource(), observer))) {
        SixQueries six = new SixQueries(shop, observer, this::newTally, Mode.LEEWAY);
        try (Task task = six("with Leeway")) {
          queries.put(Mode.LEEWAY, six.run(iterations, iterations + 1, task));
        }
        try (Task task = console.task("waiting for the replicas to catch up", 0)) {
          task.detail("they stay " + cluster.delay().toSeconds() + " s behind");
          cluster.awaitCaughtUp(leeway);
        }
        Tally later;
        try (Task task = console.task("the same customers again", six.readsAgain())) {
          later = six.readAgain(task);
        }
        Tally load = runLoad(shop, observer);
        return new DemoResult(
            cluster.description(), iterations, cluster.delay(), queries, later, load, SENTENCES);
      }
    }
  }

  private static String reason(Leeway leeway) {
    return leeway.lastDecision().map(RouteDecision::reason).map(Reason::name).orElse("");
  }

  private Map<ShopQuery, Tally> runNaive() {
    Observer observer = new Observer(() -> "");
    try (NaiveSplitter splitter = cluster.naiveSplitter();
        Shop shop = Shop.without(Witness.of(splitter, observer));
        Task task = six("with naive splitting")) {
      return new SixQueries(shop, observer, this::newTally, Mode.NAIVE).run(iterations, 1, task);
    }
  }

  private Tally runLoad(Shop shop, Observer observer) {
    Tally tally = newTally();
    int requests = LOAD_PER_ITERATION * iterations;
    try (Task task = console.task("listings and reports", requests)) {
      ListingLoad load = new ListingLoad(shop, tally, customers(iterations));
      return observer.observe(
          tally,
          () -> {
            load.run(requests, task);
            return tally;
          });
    }
  }

  private Task six(String how) {
    return console.task("six queries " + how, ShopQuery.values().length * iterations);
  }

  private Tally newTally() {
    return new Tally(primaryUuid);
  }
}
