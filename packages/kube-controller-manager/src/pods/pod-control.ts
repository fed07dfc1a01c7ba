/** Creates and deletes pods for their controllers, and records events about it. */

import { isStatusError, type KubeObject, type Status } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { referenceTo, type EventRecorder, type KubeClient } from '@coxswain/client';
import { controllerReference, type OwnerKind } from '../owners.ts';
import { resources, type Pod, type PodTemplateSpec } from '../objects.ts';

export interface PodControl {
  create(owner: KubeObject, ownerKind: OwnerKind, pod: Pod): Promise<Pod>;
  delete(owner: KubeObject, ownerKind: OwnerKind, pod: Pod): Promise<void>;
}

/** @param wrote called with each pod as written, and its owner */
export function podControl(
  client: KubeClient,
  events: EventRecorder,
  wrote: (owner: KubeObject, pod: Pod) => void,
): PodControl {
  const pods = client.resource<Pod>(resources.pods);
  return {
    async create(owner, ownerKind, pod) {
      const reference = referenceTo(owner, ownerKind.kind, ownerKind.apiVersion);
      try {
        const created = await pods.namespace(pod.metadata.namespace ?? '').create(pod);
        wrote(owner, created);
        events.event(reference, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
        return created;
      } catch (error) {
        // A terminating namespace refuses new pods, which needs no event.
        if (!isNamespaceTerminating(error)) {
          events.event(reference, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
        }
        throw error;
      }
    },

    async delete(owner, ownerKind, pod) {
      if (pod.metadata.deletionTimestamp !== undefined) return;
      const reference = referenceTo(owner, ownerKind.kind, ownerKind.apiVersion);
      const { name = '', namespace = '' } = pod.metadata;
      try {
        const deleted = await pods.namespace(namespace).delete(name);
        if (isPod(deleted)) wrote(owner, deleted);
        events.event(reference, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
      } catch (error) {
        if (isStatusError(error, 'NotFound')) throw error;
        events.event(reference, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
        throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

/** A pod remains until it has stopped; for one that is deleted at once, the response may be a mere Status. */
const isPod = (answer: Pod | Status): answer is Pod => answer.kind === 'Pod';

/** Creates a pod from a template. Parts of the template are shared, not copied. */
export function podFromTemplate(
  template: PodTemplateSpec,
  owner: KubeObject,
  ownerKind: OwnerKind,
  names: { readonly name?: string; readonly generateName?: string } = { generateName: podNamePrefix(owner) },
): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...names,
      namespace: owner.metadata.namespace ?? '',
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controllerReference(ownerKind, owner)],
    },
    spec: template.spec,
  } as Pod;
}

/** `web-`, or the bare name if it is too long for a dash. */
const podNamePrefix = ({ metadata: { name = '' } }: KubeObject): string =>
  name.length < nameLengthMax ? `${name}-` : name;
const nameLengthMax = 253;

/** Whether creation failed because the namespace is being deleted. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  isStatusError(error) &&
  (error.status.details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') ?? false);
