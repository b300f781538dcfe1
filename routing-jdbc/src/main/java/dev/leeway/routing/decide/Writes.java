package dev.leeway.routing.decide;

import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller has written, told apart by what it concerned: what binds every read, and what binds
 * the reads of one entity only.
 *
 * <p>A read that names no entity is bound by everything. A read that names one is bound by what was
 * written to that entity, and by all that was written without naming any. Immutable; looking up
 * allocates nothing.
 */
public final class Writes {
  /** The most entities that are told apart; writes to further ones bind every read. */
  public static final int MAX_ENTITIES = 16;

  /** Nothing was written. */
  public static final Writes NONE =
      new Writes(Bound.NOTHING, List.of(), Bound.NOTHING, new View[0]);

  /**
   * What binds one read.
   *
   * @param gtids the transactions
   * @param atNanos a moment after the last of their commits: a replica that is fresh as of then
   *     holds them all, and the sets need not be compared; {@link Moments#NEVER} if there are none
   */
  public record Bound(GtidSet gtids, long atNanos) {
    static final Bound NOTHING = new Bound(GtidSet.EMPTY, Moments.NEVER);

    Bound and(Bound other) {
      if (other.atNanos == Moments.NEVER) {
        return this;
      }
      return atNanos == Moments.NEVER
          ? other
          : new Bound(gtids.union(other.gtids), Moments.later(atNanos, other.atNanos));
    }
  }

  /** What was written to one entity, or to a kind without saying which. */
  public record Narrowed(EntityKey key, Bound bound) {}

  /** The answer for the reads of one key, and for those of its kind that have no answer. */
  private record View(EntityKey key, Bound bound, Bound others) {}

  private final Bound general;
  private final List<Narrowed> narrowed;
  private final Bound everything;
  private final View[] views;

  private Writes(Bound general, List<Narrowed> narrowed, Bound everything, View[] views) {
    this.general = general;
    this.narrowed = narrowed;
    this.everything = everything;
    this.views = views;
  }

  private static Writes of(Bound general, List<Narrowed> narrowed) {
    Bound everything = general;
    List<View> views = new ArrayList<>();
    for (Narrowed write : narrowed) {
      everything = everything.and(write.bound());
      EntityKey all = write.key().ofAll();
      if (views.stream().noneMatch(view -> view.key().equals(all))) {
        views.add(viewOfAll(all, general, narrowed));
      }
    }
    for (Narrowed write : narrowed) {
      if (write.key().id() != EntityKey.ALL) {
        Bound others = othersOf(write.key().ofAll(), general, narrowed);
        views.add(new View(write.key(), others.and(write.bound()), others));
      }
    }
    return new Writes(general, List.copyOf(narrowed), everything, views.toArray(new View[0]));
  }

  private static View viewOfAll(EntityKey all, Bound general, List<Narrowed> narrowed) {
    Bound bound = general;
    for (Narrowed write : narrowed) {
      if (write.key().kind() == all.kind()) {
        bound = bound.and(write.bound());
      }
    }
    return new View(all, bound, othersOf(all, general, narrowed));
  }

  private static Bound othersOf(EntityKey all, Bound general, List<Narrowed> narrowed) {
    for (Narrowed write : narrowed) {
      if (write.key().equals(all)) {
        return general.and(write.bound());
      }
    }
    return general;
  }

  /** These writes and one more that binds every read. */
  public Writes and(GtidSet gtids, long nowNanos) {
    return of(general.and(new Bound(gtids, nowNanos)), narrowed);
  }

  /**
   * These writes and one more, which concerns these entities and no other. Where that would be too
   * many to tell apart, it binds every read.
   */
  public Writes and(GtidSet gtids, long nowNanos, List<EntityKey> keys) {
    if (keys.isEmpty()) {
      return and(gtids, nowNanos);
    }
    Bound bound = new Bound(gtids, nowNanos);
    List<Narrowed> more = new ArrayList<>(narrowed);
    for (EntityKey key : keys) {
      int at = 0;
      while (at < more.size() && !more.get(at).key().equals(key)) {
        at++;
      }
      if (at < more.size()) {
        more.set(at, new Narrowed(key, more.get(at).bound().and(bound)));
      } else if (more.size() < MAX_ENTITIES) {
        more.add(new Narrowed(key, bound));
      } else {
        return and(gtids, nowNanos);
      }
    }
    return of(general, more);
  }

  /**
   * The same writes, of which these transactions concern the entity and no other but those they
   * were narrowed to before. The same if they are not among them.
   */
  public Writes narrow(GtidSet gtids, EntityKey key) {
    boolean inGeneral = general.gtids().contains(gtids);
    if (gtids.isEmpty() || !everything.gtids().contains(gtids)) {
      return this;
    }
    if (!inGeneral) {
      return and(gtids, everything.atNanos(), List.of(key));
    }
    GtidSet left = general.gtids().subtract(gtids);
    Bound rest = left.isEmpty() ? Bound.NOTHING : new Bound(left, general.atNanos());
    return of(rest, narrowed).and(gtids, general.atNanos(), List.of(key));
  }

  /**
   * What binds a read.
   *
   * @param key what it reads; null if that was not said
   */
  public Bound binding(@Nullable EntityKey key) {
    if (key == null || views.length == 0) {
      return everything;
    }
    Bound others = general;
    for (View view : views) {
      EntityKey seen = view.key();
      if (seen.kind() == key.kind()) {
        if (seen.id() == key.id()) {
          return view.bound();
        }
        others = view.others();
      }
    }
    return others;
  }

  /** All of it. */
  public Bound everything() {
    return everything;
  }

  /** What binds every read. */
  public Bound general() {
    return general;
  }

  /** What binds the reads of one entity. */
  public List<Narrowed> narrowed() {
    return narrowed;
  }
}
