/**
 * The {@code leeway} command line: one class per command, and what they share.
 *
 * <p>A command reads its options, calls the rooms that do the work, and prints what they answer. It
 * ends with one of the codes of {@link dev.leeway.cli.ExitCode}; whatever goes wrong reaches the
 * user as one line to a few, and as a stack trace only with {@code --verbose}.
 *
 * <p>Start at {@code Main}. Everything a command opens (servers, pools, monitors) it closes itself
 * before it returns; {@code Main} sees to it that this also happens on Ctrl-C.
 */
@NullMarked
package dev.leeway.cli;

import org.jspecify.annotations.NullMarked;
