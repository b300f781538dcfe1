package dev.leeway.routing;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The place where a scope was opened: the innermost frames that are not ours.
 *
 * <p>Equal if the same places in the same code were passed, which on one thread means: the same
 * scope was opened twice without having been closed, or the code is recursive.
 */
final class OpenedAt {
  private static final String OURS = "dev.leeway.routing.";
  private static final int FRAMES = 6;

  /** From JDK 22 on, a frame that kept no reference to its class cannot tell its descriptor. */
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final List<StackFrame> frames;

  private OpenedAt(List<StackFrame> frames) {
    this.frames = frames;
  }

  static OpenedAt here() {
    return new OpenedAt(
        WALKER.walk(
            stack ->
                stack
                    .dropWhile(frame -> isOurs(frame.getClassName()))
                    .limit(FRAMES)
                    .collect(Collectors.toList())));
  }

  /** Our own tests live in our packages and are not us. */
  private static boolean isOurs(String className) {
    return className.startsWith(OURS)
        && (className.equals(OURS + "Leeway")
            || className.equals(OURS + "OpenedAt")
            || className.startsWith(OURS + "bind."));
  }

  /**
   * Whether whoever passed this place before is still running further out on this thread, which
   * makes opening again a matter of recursion: whether the frames that led here, without the
   * innermost, which may have been a helper that returned, are on the stack a second time.
   */
  boolean isRecursion() {
    List<StackFrame> stack = WALKER.walk(all -> all.dropWhile(this::isInside).toList());
    List<StackFrame> callers = frames.subList(1, frames.size());
    for (int at = 2; !callers.isEmpty() && at + callers.size() <= stack.size(); at++) {
      if (isSame(callers, stack.subList(at, at + callers.size()))) {
        return true;
      }
    }
    return false;
  }

  private boolean isInside(StackFrame frame) {
    return isOurs(frame.getClassName());
  }

  private static boolean isSame(List<StackFrame> some, List<StackFrame> others) {
    for (int i = 0; i < some.size(); i++) {
      if (!isSameMethod(some.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameMethod(StackFrame one, StackFrame other) {
    return one.getMethodName().equals(other.getMethodName())
        && one.getClassName().equals(other.getClassName())
        && one.getDescriptor().equals(other.getDescriptor());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof OpenedAt that) || frames.size() != that.frames.size()) {
      return false;
    }
    for (int i = 0; i < frames.size(); i++) {
      StackFrame mine = frames.get(i);
      StackFrame its = that.frames.get(i);
      if (!isSameMethod(mine, its) || mine.getByteCodeIndex() != its.getByteCodeIndex()) {
        return false;
      }
    }
    return !frames.isEmpty();
  }

  @Override
  public int hashCode() {
    return frames.isEmpty() ? 0 : frames.get(0).getMethodName().hashCode();
  }

  /** One line: the frames, innermost first. */
  @Override
  public String toString() {
    return frames.stream()
        .map(frame -> frame.toStackTraceElement().toString())
        .collect(Collectors.joining(" < "));
  }
}
