/** The annotation in which client-side apply keeps what was applied last. */
import type { KubeObject } from '@coxswain/apimachinery';
import { toJson } from '../encoding/json.ts';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The configuration as the annotation holds it: without the annotation itself. */
export function configurationText(object: KubeObject): string {
  const { annotations, ...metadata } = object.metadata;
  const kept = texts(annotations);
  delete kept[lastAppliedAnnotation];
  return `${toJson({ ...object, metadata: { ...metadata, annotations: kept } })}\n`;
}

/** The object carrying its own configuration. */
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

/** To Go, a null among annotations is an empty text. */
const texts = (annotations: KubeObject['metadata']['annotations']): Record<string, string> =>
  Object.fromEntries(Object.entries(annotations ?? {}).map(([key, value]) => [key, value ?? '']));

export const lastApplied = (object: KubeObject): string | undefined =>
  object.metadata.annotations?.[lastAppliedAnnotation];

/** As {@link withConfiguration}, of an object that a command has made: written as Go writes typed objects. */
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
