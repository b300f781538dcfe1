/**
 * Which servers there are and which of them a statement gets.
 *
 * <p>Knows what a server is called, where it is and how it stands; opens no connection.
 */
@NullMarked
package dev.leeway.proxy.hostgroup;

import org.jspecify.annotations.NullMarked;
