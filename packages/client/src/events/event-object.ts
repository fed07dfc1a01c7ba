/** core/v1 Event, as far as a recorder sets its fields. */

import type { KubeObject } from '@coxswain/apimachinery';

/** The object that an event refers to. */
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

/** A stored event: an object of `v1`. */
export interface CoreEvent extends KubeObject {
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source?: { component?: string; host?: string };
  firstTimestamp?: string;
  lastTimestamp?: string;
  count?: number;
  type?: string;
  eventTime?: string | null;
  action?: string;
  reportingComponent?: string;
  reportingInstance?: string;
}

/** `Warning` if the event may need attention. */
export type EventType = 'Normal' | 'Warning';

/**
 * A reference to an object; kind and apiVersion must be known, either from the object or passed separately.
 * @example
 * recorder.event(referenceTo({ ...pod, apiVersion: 'v1', kind: 'Pod' }), 'Normal', 'Started', 'it runs');
 */
export function referenceTo(
  object: KubeObject,
  kind = object.kind,
  apiVersion = object.apiVersion,
): ObjectReference {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  return {
    ...(kind ? { kind } : {}),
    ...(namespace ? { namespace } : {}),
    ...(name ? { name } : {}),
    ...(uid ? { uid } : {}),
    ...(apiVersion ? { apiVersion } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}
