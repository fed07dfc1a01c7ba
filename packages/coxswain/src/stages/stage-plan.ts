/** The requests that a stage makes for an object: its steps with their templates rendered. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { PatchType } from '@coxswain/client';
import {
  stepsOf,
  type Stage,
  type StageApply,
  type StageEvent,
  type StageFinalizers,
  type StageImpersonation,
  type StagePatch,
} from './stage.ts';
import { stageTemplate, type TemplateContext } from './stage-template.ts';

/** A change to the object itself, or to another one that is created if it does not exist. */
export interface PlannedChange {
  readonly kind: 'patch' | 'apply';
  readonly data: unknown;
  readonly type: PatchType;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly impersonation?: StageImpersonation | undefined;
}

export type PlannedStep =
  | { readonly kind: 'event'; readonly event: Required<StageEvent> }
  | { readonly kind: 'delete' }
  | PlannedChange;

/**
 * After a deletion, only events remain to be created.
 * @throws Error from a template
 */
export function planStage(
  { metadata, spec }: Stage,
  object: KubeObject,
  surroundings: TemplateContext,
): readonly PlannedStep[] {
  const planned: PlannedStep[] = [];
  const render = (template: string) => stageTemplate(metadata.name, template, surroundings)(object);
  let isDeleted = false;
  for (const { event, finalizers, delete: deletes, patch, apply } of stepsOf(spec)) {
    if (event !== undefined) planned.push({ kind: 'event', event: { ...eventDefaults, ...event } });
    if (isDeleted) continue;
    if (finalizers !== undefined) planned.push(finalizersPatch(object, finalizers));
    if (deletes) {
      isDeleted = true;
      planned.push({ kind: 'delete' });
      continue;
    }
    if (patch !== undefined) planned.push(...patchPlanned(patch, render(patch.template), spec.resourceRef));
    if (apply !== undefined) planned.push(applyPlanned(apply, render(apply.template)));
  }
  return planned;
}

const eventDefaults: Required<StageEvent> = { type: 'Normal', reason: '', message: '' };

function finalizersPatch(
  object: KubeObject,
  { add = [], remove = [], empty }: StageFinalizers,
): PlannedChange {
  const gone = new Set(remove.map(({ value }) => value));
  const kept = empty ? [] : (object.metadata.finalizers ?? []).filter((one) => !gone.has(one));
  const finalizers = [...new Set([...kept, ...add.map(({ value }) => value)])];
  return { kind: 'patch', data: { metadata: { finalizers } }, type: 'merge', subresource: '' };
}

/** A template that renders to nothing patches nothing. */
function patchPlanned(patch: StagePatch, made: unknown, of: Stage['spec']['resourceRef']): PlannedChange[] {
  if (made === null) return [];
  const { subresource = '', impersonation } = patch;
  return [
    { kind: 'patch', data: rooted(patch, made), type: patchType(patch, of), subresource, impersonation },
  ];
}

function rooted({ root = '', type }: StagePatch, made: unknown): unknown {
  if (root === '') return made;
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

const applyPlanned = (
  { type = 'apply', subresource = '', impersonation }: StageApply,
  data: unknown,
): PlannedChange => ({ kind: 'apply', data, type, subresource, impersonation });
