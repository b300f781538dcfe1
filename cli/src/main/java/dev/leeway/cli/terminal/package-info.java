/**
 * What a person sees: progress while something takes time, tables at the end.
 *
 * <p>Results go to standard output, progress and messages to standard error, so that a pipe gets
 * the results alone. On a terminal progress is one line that redraws itself; anywhere else it is
 * whole lines, few enough for a log. Start at {@link dev.leeway.cli.terminal.Console}.
 *
 * <p>Nothing here knows what Leeway does.
 */
@NullMarked
package dev.leeway.cli.terminal;

import org.jspecify.annotations.NullMarked;
