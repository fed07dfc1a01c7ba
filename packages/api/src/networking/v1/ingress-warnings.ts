import type { SpecObject } from '../../meta/kind-object.ts';
import type { IngressSpec } from './ingress-spec.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

/** Only for new ingresses. */
export function ingressWarnings({ metadata, spec }: SpecObject<IngressSpec>, old: unknown): string[] {
  const isSet = metadata.annotations?.[classAnnotation] !== undefined;
  if (old !== undefined || !isSet || spec?.ingressClassName != null) return [];
  return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}
