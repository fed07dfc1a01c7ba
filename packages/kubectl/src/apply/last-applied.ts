/** The annotation in which client-side apply keeps what was applied last. */
import type { KubeObject } from '@coxswain/apimachinery';
import { toJson } from '../encoding/json.ts';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The configuration as the annotation holds it: without the annotation itself. */
export function configurationText(object: KubeObject): string {
  const { annotations, ...metadata } = object.metadata;
  const kept = { ...annotations };
  delete kept[lastAppliedAnnotation];
  return `${toJson({ ...object, metadata: { ...metadata, annotations: kept } })}\n`;
}

/** The object carrying its own configuration. */
export const withConfiguration = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { ...object.metadata.annotations, [lastAppliedAnnotation]: configurationText(object) },
  },
});

export const lastApplied = (object: KubeObject): string | undefined =>
  object.metadata.annotations?.[lastAppliedAnnotation];
