/** What validation of a pod's spec may tolerate: new features, and what was stored before a rule existed. */

import { checkLabelValue } from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import type { Container, EphemeralContainer } from './container.ts';
import { containersOf } from './pod-containers.ts';
import type { PodSpec } from './pod-spec.ts';

export interface PodOptions {
  /** A pod, not a template. */
  readonly isPod: boolean;
  readonly allowPrivileged: boolean;
  readonly restartAllContainers: boolean;
  readonly tolerationComparisons: boolean;
  readonly hostNetworkUserNamespaces: boolean;
  /** Set when the stored object has them already. */
  readonly invalidLabelValuesInSelectors: boolean;
  readonly invalidLabelValuesInNodeAffinity: boolean;
  readonly indivisibleHugePages: boolean;
  readonly invalidDeletionCost: boolean;
  readonly nonLocalTokenPaths: boolean;
  readonly hostNamespaceSysctls: boolean;
  readonly volumeDevicesInUserNamespaces: boolean;
  readonly restartingInitContainerResize: boolean;
  readonly invalidSpreadSelectors: boolean;
}

/** `old` is what is stored: what it holds already is not refused. */
export function podOptions(isPod: boolean, context: ValidationContext, old: PodSpec | undefined): PodOptions {
  return {
    isPod,
    allowPrivileged: context.allowPrivileged,
    restartAllContainers: context.enabled('RestartAllContainersOnContainerExits'),
    tolerationComparisons: context.enabled('TaintTolerationComparisonOperators'),
    hostNetworkUserNamespaces: context.enabled('UserNamespacesHostNetworkSupport'),
    ...(old === undefined ? noExceptions : exceptionsOf(old)),
  };
}

type Exceptions = Omit<
  PodOptions,
  'isPod' | 'allowPrivileged' | 'restartAllContainers' | 'tolerationComparisons' | 'hostNetworkUserNamespaces'
>;

const noExceptions: Exceptions = {
  invalidLabelValuesInSelectors: false,
  invalidLabelValuesInNodeAffinity: false,
  indivisibleHugePages: false,
  invalidDeletionCost: true,
  nonLocalTokenPaths: false,
  hostNamespaceSysctls: false,
  volumeDevicesInUserNamespaces: false,
  restartingInitContainerResize: false,
  invalidSpreadSelectors: false,
};

function exceptionsOf(old: PodSpec): Exceptions {
  const sysctls = old.securityContext?.sysctls ?? [];
  return {
    ...noExceptions,
    invalidLabelValuesInSelectors: hasInvalidSelectorValues(old),
    invalidLabelValuesInNodeAffinity: hasInvalidNodeAffinityValues(old),
    indivisibleHugePages: containersOf(old).some(hasIndivisibleHugePages),
    nonLocalTokenPaths: (old.volumes ?? []).some((volume) =>
      (volume.projected?.sources ?? []).some(
        ({ serviceAccountToken }) => serviceAccountToken != null && !isLocalPath(serviceAccountToken.path),
      ),
    ),
    hostNamespaceSysctls: sysctls.length > 0 && Boolean(old.hostNetwork || old.hostIPC),
    volumeDevicesInUserNamespaces:
      old.hostUsers === false &&
      containersOf(old).some(({ volumeDevices }) => (volumeDevices ?? []).length > 0),
    restartingInitContainerResize: (old.initContainers ?? []).some(
      ({ restartPolicy, resizePolicy }) =>
        restartPolicy !== 'Always' &&
        (resizePolicy ?? []).some((policy) => policy.restartPolicy === 'RestartContainer'),
    ),
  };
}

const isLocalPath = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..');

function hasIndivisibleHugePages({ resources }: Container | EphemeralContainer): boolean {
  return [resources?.limits, resources?.requests].some((list) =>
    Object.keys(list ?? {}).some((name) => name.startsWith('hugepages-')),
  );
}

function hasInvalidSelectorValues({ affinity, topologySpreadConstraints }: PodSpec): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((side) => [
    ...(side?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(side?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ]);
  const selectors = [
    ...terms.flatMap(({ labelSelector, namespaceSelector }) => [labelSelector, namespaceSelector]),
    ...(topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector),
  ];
  return selectors.some((selector) => hasInvalidValues(selector?.matchExpressions));
}

const hasInvalidNodeAffinityValues = ({ affinity }: PodSpec): boolean =>
  (affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).some(
    ({ matchExpressions }) => hasInvalidValues(matchExpressions),
  );

const hasInvalidValues = (expressions: readonly { values?: string[] }[] | undefined): boolean =>
  (expressions ?? []).some(({ values }) => (values ?? []).some((value) => checkLabelValue(value).length > 0));
