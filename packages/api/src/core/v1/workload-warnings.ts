/** Warnings about pod templates, issued on creation and when the generation changes. */

import { FieldPath } from '@coxswain/apimachinery';
import type { SpecObject } from '../../meta/kind-object.ts';
import { nameWarnings, templateWarnings } from './pod/pod-warnings.ts';
import type { PodTemplateSpec } from './pod-template-spec.ts';

export type Workload = SpecObject<{ template?: PodTemplateSpec | null }>;

export const templatePath = FieldPath.of('spec', 'template');

export const hasNewGeneration = (object: Workload, old: Workload | undefined): boolean =>
  old === undefined || object.metadata.generation !== old.metadata.generation;

/** For kinds whose names become a prefix of pods' names. */
export function workloadWarnings(workload: Workload, old: Workload | undefined): string[] {
  if (!hasNewGeneration(workload, old)) return [];
  const ofName = old === undefined ? nameWarnings(workload.metadata.name) : [];
  return [...ofName, ...templateWarnings(workload.spec.template, templatePath)];
}

/** Upstream examines the previous template. */
export const controllerWarnings = (controller: Workload, old: Workload | undefined): string[] =>
  old === undefined
    ? workloadWarnings(controller, undefined)
    : hasNewGeneration(controller, old)
      ? templateWarnings(old.spec.template, templatePath)
      : [];
