import type { KubeObject } from '@coxswain/apimachinery';
import { decodeValue, type Kind } from '@coxswain/schema';
import type { ServedBookmark } from '../rest/served.ts';

/** An object with nothing but a resourceVersion, and possibly the annotation that ends the initial events. */
export const bookmarkObject = (kind: Kind, { revision, initialEventsEnd }: ServedBookmark): KubeObject =>
  decodeValue(kind.type, {
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    metadata: {
      resourceVersion: String(revision),
      ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : undefined),
    },
  }).object as KubeObject;
