/** Does to an object what its stage says, step by step. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { EventRecorder, PatchType, ResourceClient } from '@coxswain/client';
import { stepsOf } from './stage.ts';
import type { Stage, StageFinalizers, StagePatch } from './stage.ts';
import { stageTemplate } from './stage-template.ts';
import type { TemplateSurroundings } from './stage-template.ts';

export interface PlayParts {
  readonly resource: ResourceClient;
  readonly events: EventRecorder;
  readonly surroundings: TemplateSurroundings;
}

/** @throws StatusError of the server, Error of a template */
export async function playStage(
  { metadata, spec }: Stage,
  object: KubeObject,
  parts: PlayParts,
): Promise<void> {
  const { resource, events } = parts;
  const name = object.metadata.name ?? '';
  for (const step of stepsOf(spec)) {
    const { type = 'Normal', reason = '', message = '' } = step.event ?? {};
    if (step.event !== undefined) events.event(object, type as 'Normal' | 'Warning', reason, message);
    if (step.finalizers !== undefined) {
      const finalizers = changed(object.metadata.finalizers ?? [], step.finalizers);
      await resource.patch(name, { metadata: { finalizers } }, { type: 'merge' });
    }
    if (step.delete) {
      await resource.delete(name, { gracePeriodSeconds: 0 });
      return;
    }
    if (step.patch === undefined) continue;
    const { subresource = '' } = step.patch;
    const made = stageTemplate(metadata.name, step.patch.template, parts.surroundings)(object);
    if (made === null) continue;
    await resource.patch(name, rooted(step.patch, made), {
      type: patchType(step.patch, spec.resourceRef),
      ...(subresource !== '' && { subresource }),
    });
  }
}

function changed(finalizers: readonly string[], { add = [], remove = [], empty }: StageFinalizers): string[] {
  const gone = new Set(remove.map(({ value }) => value));
  const kept = empty ? [] : finalizers.filter((one) => !gone.has(one));
  return [...new Set([...kept, ...add.map(({ value }) => value)])];
}

function rooted({ root, type }: StagePatch, made: unknown): unknown {
  if (root === undefined || root === '') return made;
  if (type !== 'json') return { [root]: made };
  return (made as readonly { readonly path: string }[]).map((change) => ({
    ...change,
    path: `/${root}${change.path}`,
  }));
}

const patchType = (
  { type }: StagePatch,
  { kind, apiGroup = 'v1' }: Stage['spec']['resourceRef'],
): PatchType => type ?? (apiGroup === 'v1' && (kind === 'Pod' || kind === 'Node') ? 'strategic' : 'merge');
