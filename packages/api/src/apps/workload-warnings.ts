/** Of what makes pods: asked when it is made, and when its generation moves on. */

import { FieldPath } from '@coxswain/apimachinery';
import type { PersistentVolumeClaimSpec } from '../core/v1/persistent-volume-claim-spec.ts';
import { claimSpecWarnings } from '../core/v1/persistent-volume-claim-warnings.ts';
import type { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { nameWarnings, templateWarnings } from '../core/v1/pod-warnings.ts';
import type { SpecObject } from '../meta/kind-object.ts';

type Workload = SpecObject<{ template?: PodTemplateSpec | null }>;

const templatePath = FieldPath.of('spec', 'template');

export const hasNewGeneration = (object: Workload, old: Workload | undefined): boolean =>
  old === undefined || object.metadata.generation !== old.metadata.generation;

/** Of kinds whose names become part of pods' names without more ado. */
export function workloadWarnings(workload: Workload, old: Workload | undefined): string[] {
  if (!hasNewGeneration(workload, old)) return [];
  const ofName = old === undefined ? nameWarnings(workload.metadata.name) : [];
  return [...ofName, ...templateWarnings(workload.spec.template, templatePath)];
}

export const daemonSetWarnings = (set: Workload, old: Workload | undefined): string[] =>
  hasNewGeneration(set, old) ? templateWarnings(set.spec.template, templatePath) : [];

type StatefulSet = SpecObject<{
  template?: PodTemplateSpec | null;
  volumeClaimTemplates?: { spec: PersistentVolumeClaimSpec }[];
  revisionHistoryLimit?: number;
}>;

export function statefulSetWarnings(set: StatefulSet, old: StatefulSet | undefined): string[] {
  const warnings = daemonSetWarnings(set, old);
  for (const [index, { spec }] of (set.spec.volumeClaimTemplates ?? []).entries()) {
    if (hasNewGeneration(set, old)) {
      warnings.push(...claimSpecWarnings(spec, FieldPath.of('spec', 'volumeClaimTemplates').index(index)));
    }
  }
  if ((set.spec.revisionHistoryLimit ?? 0) < 0) {
    warnings.push(
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    );
  }
  return warnings;
}
