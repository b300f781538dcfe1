package dev.leeway.cli.drill;

import org.jspecify.annotations.Nullable;

/**
 * What a drill ran on.
 *
 * @param delaySeconds how far the replicas stay behind on purpose; null where that is not known
 */
record Where(String words, @Nullable Long delaySeconds) {}
