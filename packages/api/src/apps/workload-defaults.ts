/**
 * Defaults of workloads that depend on other values, for all versions of the groups apps and extensions. Numbers that
 * differ between versions are the fields' own defaults or arguments here.
 */

import type { ObjectMeta } from '@coxswain/schema';
import { defaultPodTemplate } from '../core/v1/pod/pod-defaults.ts';
import type { PersistentVolumeClaimSpec } from '../core/v1/persistent-volume-claim-spec.ts';
import type { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { defaultClaimSpec } from '../core/v1/volume/volume-defaults.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import type { LabelSelector } from '../meta/v1/label-selector.ts';

type Count = number | string;

interface Templated {
  template: PodTemplateSpec;
}

interface RollingUpdate {
  maxUnavailable?: Count;
  maxSurge?: Count;
}

interface RollingStrategy {
  type?: string;
  rollingUpdate?: RollingUpdate;
}

export const defaultTemplate = ({ spec }: SpecObject<Templated>): void => defaultPodTemplate(spec.template);

/** Like the template's defaults, but the object also inherits labels and selector from it (before apps/v1beta2). */
export function inheritTemplateLabels(object: {
  metadata: ObjectMeta;
  spec: Templated & { selector?: LabelSelector | null };
}): void {
  const labels = object.spec.template.metadata?.labels;
  if (labels == null) return;
  object.spec.selector ??= { matchLabels: { ...labels } };
  object.metadata ??= {} as ObjectMeta;
  if (isEmpty(object.metadata.labels)) object.metadata.labels = { ...labels };
}

/** A Deployment's strategy; with `always` even if another type has parameters (extensions/v1beta1). */
export const defaultDeploymentStrategy =
  (count: Count, always = false) =>
  ({ spec }: SpecObject<{ strategy: RollingStrategy }>): void => {
    const strategy = spec.strategy;
    if (strategy.type !== 'RollingUpdate' && !(always && strategy.rollingUpdate != null)) return;
    const rollingUpdate = (strategy.rollingUpdate ??= {});
    rollingUpdate.maxUnavailable ??= count;
    rollingUpdate.maxSurge ??= count;
  };

export function defaultDaemonSetStrategy({ spec }: SpecObject<{ updateStrategy: RollingStrategy }>): void {
  const strategy = spec.updateStrategy;
  if (strategy.type === 'RollingUpdate') (strategy.rollingUpdate ??= {}).maxUnavailable ??= 1;
  if (strategy.rollingUpdate == null) return;
  // Upstream's internal type has no absent counts.
  strategy.rollingUpdate.maxUnavailable ??= 0;
  strategy.rollingUpdate.maxSurge ??= 0;
}

interface StatefulSetDefaults {
  updateStrategy: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: Count } };
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  volumeClaimTemplates?: { kind: string; apiVersion: string; spec: PersistentVolumeClaimSpec }[];
}

/** Comes first, whatever was sent. */
const claimType = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' } as const;

/** An explicit type without parameters gets none; `absentType` is the default type. */
export const defaultStatefulSet =
  (absentType: 'RollingUpdate' | 'OnDelete') =>
  ({ spec }: SpecObject<StatefulSetDefaults>): void => {
    const strategy = spec.updateStrategy;
    if (!strategy.type) {
      strategy.type = absentType;
      if (absentType === 'RollingUpdate') strategy.rollingUpdate ??= {};
    }
    if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate != null) {
      strategy.rollingUpdate.partition ??= 0;
    }
    const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
    retention.whenDeleted ||= 'Retain';
    retention.whenScaled ||= 'Retain';
    for (const claim of spec.volumeClaimTemplates ?? []) defaultClaimSpec(claim.spec);
    if (spec.volumeClaimTemplates != null) {
      spec.volumeClaimTemplates = spec.volumeClaimTemplates.map((claim) => ({
        ...claimType,
        ...claim,
        ...claimType,
      }));
    }
  };

function isEmpty(members: object | undefined | null): boolean {
  for (const _ in members) return false;
  return true;
}
