/**
 * Reads the file that names a cluster's servers.
 *
 * <p>A file either gives a whole {@link dev.leeway.cli.config.Topology} or a {@link
 * dev.leeway.cli.config.ConfigurationException} with every problem found in it, each with its line
 * and column. Start at {@link dev.leeway.cli.config.TopologyFile}; the keys, their defaults and
 * their meaning are in one place, {@link dev.leeway.cli.config.Key}.
 *
 * <p>Nothing here talks to a server: whether an address answers and a password is right is found
 * out by whoever connects.
 */
@NullMarked
package dev.leeway.cli.config;

import org.jspecify.annotations.NullMarked;
