/** Applies the steps of a stage to an object. */

import { isStatusError, parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import type { EventRecorder, KubeClient, ResourceClient, WriteOptions } from '@coxswain/client';
import type { Stage } from './stage.ts';
import { planStage, type PlannedChange } from './stage-plan.ts';
import type { TemplateContext } from './stage-template.ts';

export interface PlayParts {
  readonly client: KubeClient;
  /** The resource of the object's kind, in its namespace. */
  readonly resource: ResourceClient;
  readonly events: EventRecorder;
  readonly surroundings: TemplateContext;
}

/** @throws StatusError from the server, NoMatchError for a kind that is not served, Error from a template */
export async function playStage(stage: Stage, object: KubeObject, parts: PlayParts): Promise<void> {
  const { client, resource, events, surroundings } = parts;
  const { name = '', namespace } = object.metadata;
  for (const step of planStage(stage, object, surroundings)) {
    switch (step.kind) {
      case 'event': {
        const { type, reason, message } = step.event;
        events.event(object, type as 'Normal' | 'Warning', reason, message);
        break;
      }
      case 'delete':
        await resource.delete(name, { gracePeriodSeconds: 0 });
        break;
      case 'patch':
        await resource.patch(name, step.data, { ...writeOptions(step), type: step.type });
        break;
      case 'apply':
        await applyOther(client, step, namespace);
    }
  }
}

const writeOptions = ({ subresource, impersonation }: PlannedChange): WriteOptions => ({
  ...(subresource !== '' && { subresource }),
  ...(impersonation !== undefined && { headers: { 'impersonate-user': impersonation.username } }),
});

/** Creates an object, or patches an existing one; a subresource can only be patched. */
async function applyOther(client: KubeClient, step: PlannedChange, namespaceOfStaged = ''): Promise<void> {
  const object = step.data as KubeObject | null;
  const { apiVersion, kind } = object ?? {};
  if (!object || !apiVersion || !kind)
    throw new Error('objects that a stage applies must have apiVersion and kind');
  const { group, version } = parseApiVersion(apiVersion);
  const mapped = await client.mapped({ group, kind }, version);
  const { name = '', namespace = namespaceOfStaged } = object.metadata;
  const all = client.resource(mapped);
  const resource = mapped.namespaced ? all.namespace(namespace) : all;
  const options = writeOptions(step);
  if (step.subresource === '') {
    const isMade = await resource.create(object, options).then(
      () => true,
      (error: unknown) => {
        if (name !== '' && isStatusError(error, 'AlreadyExists')) return false;
        throw error;
      },
    );
    if (isMade) return;
  }
  const owned = step.type === 'apply' ? { fieldManager: 'kwok', force: true } : {};
  await resource.patch(name, object, { ...options, ...owned, type: step.type });
}
