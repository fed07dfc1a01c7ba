import type { Column } from '@coxswain/schema';
import { column, nameColumn } from '../meta/columns.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import type { PodSecurityPolicySpec } from './pod-security-policy-spec.ts';

export const policyColumns: readonly Column<SpecObject<PodSecurityPolicySpec>>[] = [
  nameColumn,
  column('Priv', ({ spec }) => String(spec.privileged ?? false)),
  column('Caps', ({ spec }) => (spec.allowedCapabilities ?? []).join(',')),
  column('SELinux', ({ spec }) => spec.seLinux.rule),
  column('RunAsUser', ({ spec }) => spec.runAsUser.rule),
  column('FsGroup', ({ spec }) => spec.fsGroup.rule ?? ''),
  column('SupGroup', ({ spec }) => spec.supplementalGroups.rule ?? ''),
  column('ReadOnlyRootFs', ({ spec }) => spec.readOnlyRootFilesystem ?? false),
  column('Volumes', ({ spec }) => (spec.volumes ?? []).join(',')),
];
