/** The diff of pod specs that upstream shows when it refuses an update. */

import { goJson, PrintedValue } from '@coxswain/apimachinery';
import { indented, withGoNames } from '../../../meta/go-struct.ts';
import { unifiedDiff } from '../../../meta/unified-diff.ts';
import { PodSpec } from '../pod-spec.ts';
import type { PodTemplateSpec } from '../pod-template-spec.ts';

export const podSpecDiff = (before: PodSpec, after: PodSpec): string =>
  unifiedDiff(indented(printedMembers(before)), indented(printedMembers(after)));

export const printedPodSpec = (spec: PodSpec): PrintedValue => new PrintedValue(goJson(printedMembers(spec)));

export const printedPodTemplate = ({ metadata, spec }: PodTemplateSpec): PrintedValue =>
  new PrintedValue(goJson({ ...metadata, Spec: printedMembers(spec) }));

type Members = Readonly<Record<string, unknown>>;

/** In upstream's internal type these are in the pod's security context. */
function printedMembers(spec: PodSpec): Members {
  const all = withGoNames(PodSpec, spec) as Members;
  const context = spec.securityContext == null ? null : (all['SecurityContext'] as Members);
  const whole = {
    ...all,
    SecurityContext:
      context === null
        ? null
        : pick({ ...all, ...context, RunAsUser: context['RunAsUser'] }, securityContextOrder),
  };
  return pick(whole, specOrder);
}

const pick = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, members[name] ?? null]));

const securityContextOrder = [
  'HostNetwork',
  'HostPID',
  'HostIPC',
  'ShareProcessNamespace',
  'HostUsers',
  'SELinuxOptions',
  'WindowsOptions',
  'RunAsUser',
  'RunAsGroup',
  'RunAsNonRoot',
  'SupplementalGroups',
  'SupplementalGroupsPolicy',
  'FSGroup',
  'FSGroupChangePolicy',
  'Sysctls',
  'SeccompProfile',
  'AppArmorProfile',
  'SELinuxChangePolicy',
];

const specOrder = [
  'Volumes',
  'InitContainers',
  'Containers',
  'EphemeralContainers',
  'RestartPolicy',
  'TerminationGracePeriodSeconds',
  'ActiveDeadlineSeconds',
  'DNSPolicy',
  'NodeSelector',
  'ServiceAccountName',
  'AutomountServiceAccountToken',
  'NodeName',
  'SecurityContext',
  'ImagePullSecrets',
  'Hostname',
  'Subdomain',
  'SetHostnameAsFQDN',
  'Affinity',
  'SchedulerName',
  'Tolerations',
  'HostAliases',
  'PriorityClassName',
  'Priority',
  'PreemptionPolicy',
  'DNSConfig',
  'ReadinessGates',
  'RuntimeClassName',
  'Overhead',
  'EnableServiceLinks',
  'TopologySpreadConstraints',
  'OS',
  'SchedulingGates',
  'ResourceClaims',
  'Resources',
  'HostnameOverride',
  'SchedulingGroup',
];
