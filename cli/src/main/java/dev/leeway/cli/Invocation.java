package dev.leeway.cli;

import dev.leeway.cli.terminal.Console;
import java.util.Map;

/**
 * What every command gets from whoever started it.
 *
 * @param environment the environment variables
 * @param cleanup where a command registers what it opens
 */
record Invocation(Console console, Map<String, String> environment, Cleanup cleanup) {}
