/** Warnings about pod templates, issued on creation and when the generation changes. */

import { FieldPath } from '@coxswain/apimachinery';
import type { PersistentVolumeClaimSpec } from '../core/v1/persistent-volume-claim-spec.ts';
import { claimSpecWarnings } from '../core/v1/volume/persistent-volume-claim-warnings.ts';
import type { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { hasNewGeneration, templatePath, type Workload } from '../core/v1/workload-warnings.ts';
import { templateWarnings } from '../core/v1/pod/pod-warnings.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { templateGenerationOf } from './template-generation.ts';

/** Issued again when the template changes. */
export const daemonSetWarnings = (set: Workload, old: Workload | undefined): string[] =>
  old === undefined || templateGenerationOf(set) !== templateGenerationOf(old)
    ? templateWarnings(set.spec.template, templatePath)
    : [];

type StatefulSet = SpecObject<{
  template?: PodTemplateSpec | null;
  volumeClaimTemplates?: { spec: PersistentVolumeClaimSpec }[];
  revisionHistoryLimit?: number;
}>;

export function statefulSetWarnings(set: StatefulSet, old: StatefulSet | undefined): string[] {
  const warnings = hasNewGeneration(set, old) ? templateWarnings(set.spec.template, templatePath) : [];
  for (const [index, { spec }] of (set.spec.volumeClaimTemplates ?? []).entries()) {
    const path = FieldPath.of('spec', 'volumeClaimTemplates').index(index);
    // The path is capitalized in updates.
    warnings.push(...claimSpecWarnings(spec, old === undefined ? path : path.child('Spec')));
  }
  if ((set.spec.revisionHistoryLimit ?? 0) < 0) {
    warnings.push(
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    );
  }
  return warnings;
}
