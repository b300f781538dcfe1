/** The filter and the client in a real server, on real databases that lag. */
@NullMarked
package dev.leeway.http;

import org.jspecify.annotations.NullMarked;
