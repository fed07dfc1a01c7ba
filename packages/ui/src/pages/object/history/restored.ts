/** An earlier state of an object, for replacing the current one or creating the object again. */

import type { KubeObject } from '@coxswain/apimachinery';

/** What only the server writes keeps its current value, and so does what other controllers report. */
export function restored(then: KubeObject, now: KubeObject | undefined): KubeObject {
  const { metadata, status: _, ...wanted } = then as KubeObject & { readonly status?: unknown };
  if (now === undefined) return { ...wanted, metadata: asNew(metadata) };
  const { status } = now as KubeObject & { readonly status?: unknown };
  const { labels, annotations } = metadata;
  return {
    ...wanted,
    metadata: {
      ...now.metadata,
      labels: labels as NonNullable<typeof labels>,
      annotations: annotations as NonNullable<typeof annotations>,
    },
    ...(status !== undefined && { status }),
  };
}

function asNew({ name, namespace, labels, annotations }: KubeObject['metadata']): KubeObject['metadata'] {
  return Object.fromEntries(
    Object.entries({ name, namespace, labels, annotations }).filter(([, value]) => value !== undefined),
  );
}
