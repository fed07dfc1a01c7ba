/** The annotation in which client-side apply stores the last applied configuration. */
import type { KubeObject } from '@coxswain/apimachinery';
import { toJson } from '../encoding/json.ts';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the configuration as stored in the annotation: without the annotation itself. */
export function configurationText(object: KubeObject): string {
  const { annotations, ...metadata } = object.metadata;
  const kept = texts(annotations);
  delete kept[lastAppliedAnnotation];
  return `${toJson({ ...object, metadata: { ...metadata, annotations: kept } })}\n`;
}

/** Returns the object with its own configuration in the annotation. */
export const withConfiguration = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: {
      ...texts(object.metadata.annotations),
      [lastAppliedAnnotation]: configurationText(object),
    },
  },
});

/** Go reads a null annotation as empty text. */
const texts = (annotations: KubeObject['metadata']['annotations']): Record<string, string> =>
  Object.fromEntries(Object.entries(annotations ?? {}).map(([key, value]) => [key, value ?? '']));

export const lastApplied = (object: KubeObject): string | undefined =>
  object.metadata.annotations?.[lastAppliedAnnotation];

/** Like {@link withConfiguration}, for an object that a command has generated: serialized like Go's typed objects. */
export async function withTypedConfiguration(object: KubeObject): Promise<KubeObject> {
  const { [lastAppliedAnnotation]: _before, ...annotations } = object.metadata.annotations ?? {};
  const { annotations: _all, ...metadata } = object.metadata;
  const isAnnotated = Object.keys(annotations).length > 0;
  const bare = { ...object, metadata: { ...metadata, ...(isAnnotated && { annotations }) } };
  const { typedArrangement } = await import('../typed.ts');
  const text = `${toJson((await typedArrangement())(bare), 'declared')}\n`;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, [lastAppliedAnnotation]: text } },
  };
}
