package dev.leeway.annotation.processor;

import dev.leeway.annotation.ReadReplica;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/**
 * Tells the compiler that Leeway's annotations have their processor.
 *
 * <p>{@link LeewayProcessor} looks at every type and so may claim none of the annotations it is
 * shown, for they are other processors' too. Without this claim {@code -Xlint:processing} would
 * warn that nobody reads ours.
 */
public final class IntentClaim extends AbstractProcessor {
  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of(ReadReplica.class.getPackageName() + ".*");
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    return true;
  }
}
