import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { Strategy } from '@coxswain/apiserver';
import type { AnyObject } from '../resource.ts';

/** Where a DaemonSet of apps/v1 keeps the generation of its template. */
const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/** The template has a count of its own, which old clients still read. */
export const daemonSetStrategy: Partial<Strategy<AnyObject>> = {
  prepareForCreate(object) {
    if (templateGenerationOf(object) < 1) setTemplateGeneration(object, 1);
  },
  prepareForUpdate(object, old) {
    const changed = !semanticDeepEqual(templateOf(object), templateOf(old));
    setTemplateGeneration(object, templateGenerationOf(old) + (changed ? 1 : 0));
  },
};

const templateOf = (object: AnyObject): unknown =>
  (object.spec as { template?: unknown } | undefined)?.template;

const templateGenerationOf = (object: AnyObject): number =>
  Number(object.metadata.annotations?.[templateGenerationAnnotation] ?? 0) || 0;

function setTemplateGeneration(object: AnyObject, generation: number): void {
  object.metadata.annotations = {
    ...object.metadata.annotations,
    [templateGenerationAnnotation]: String(generation),
  };
}
