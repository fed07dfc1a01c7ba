/** PodSecurityPolicy, which existed in two groups with the same shape until Kubernetes 1.25. */
import * as t from '@coxswain/schema';
import { column, nameColumn } from '../meta/columns.ts';
import { validatePodSecurityPolicy } from './pod-security-policy-validation.ts';
import { specOf } from './pod-security-policy-spec.ts';

/** @param directory the group version: `policy/v1beta1` or `extensions/v1beta1` */
export function podSecurityPolicyKind(directory: 'policy/v1beta1' | 'extensions/v1beta1') {
  return t.kind(
    `${directory}.PodSecurityPolicy`,
    directory,
    { plural: 'podsecuritypolicies', shortNames: ['psp'], namespaced: false },
    {
      metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
      spec: t.optional(2, specOf(directory)),
    },
    {
      validate: validatePodSecurityPolicy,
      columns: [
        nameColumn,
        column('Priv', ({ spec }) => String(spec.privileged ?? false)),
        column('Caps', ({ spec }) => (spec.allowedCapabilities ?? []).join(',')),
        column('SELinux', ({ spec }) => spec.seLinux.rule),
        column('RunAsUser', ({ spec }) => spec.runAsUser.rule),
        column('FsGroup', ({ spec }) => spec.fsGroup.rule ?? ''),
        column('SupGroup', ({ spec }) => spec.supplementalGroups.rule ?? ''),
        column('ReadOnlyRootFs', ({ spec }) => spec.readOnlyRootFilesystem ?? false),
        column('Volumes', ({ spec }) => (spec.volumes ?? []).join(',')),
      ],
    },
  );
}
