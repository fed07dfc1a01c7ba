/**
 * The number of changes of a DaemonSet's template. Before apps/v1 it was a field; since then it is an annotation, which
 * upstream writes whenever it converts a DaemonSet, whatever was sent.
 */

import { goQuote } from '@coxswain/apimachinery';
import { DecodeError, type ObjectMeta } from '@coxswain/schema';

export const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

interface Annotated {
  metadata: Pick<ObjectMeta, 'annotations'>;
}

export const templateGenerationOf = ({ metadata }: Annotated): number =>
  Number(metadata.annotations?.[templateGenerationAnnotation] ?? 0);

export function setTemplateGeneration(object: Annotated, generation: number): void {
  object.metadata.annotations = {
    ...object.metadata.annotations,
    [templateGenerationAnnotation]: String(generation),
  };
}

/** @throws DecodeError for an invalid number */
export function defaultTemplateGeneration(object: Annotated): void {
  const text = object.metadata?.annotations?.[templateGenerationAnnotation] ?? '0';
  if (!/^[-+]?\d+$/.test(text)) {
    throw new DecodeError('type', `strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  }
  object.metadata ??= {};
  setTemplateGeneration(object, Number(text));
}
