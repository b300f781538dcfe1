/**
 * Makes Jdbi honour intents on SqlObject interfaces.
 *
 * <p>One class: install {@link dev.leeway.routing.jdbi.LeewayPlugin} into the {@code Jdbi} that
 * works on Leeway's data source. Needs {@code jdbi3-sqlobject} on the class path, which the rest of
 * this module does not.
 */
@NullMarked
package dev.leeway.routing.jdbi;

import org.jspecify.annotations.NullMarked;
