/** What the validation of a pod's spec tolerates: new features, and values stored before a rule existed. */

import { checkLabelValue, validateLabelSelector } from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { pathOf, Errors } from '../../../meta/checks.ts';
import type { LabelSelector } from '../../../meta/v1/label-selector.ts';
import type { Container, EphemeralContainer } from '../container.ts';
import { localNonReservedPath } from './path-validation.ts';
import { isDeletionCost, deletionCostAnnotation } from './pod-annotation-validation.ts';
import { containersOf } from './pod-containers.ts';
import type { PodSpec } from '../pod-spec.ts';
import { areWholePages } from './resource-validation.ts';
import { validateLabelKeys } from './scheduling-validation.ts';
import { sysctlClash } from './security-context-validation.ts';
import type { PodOptions } from './pod-options.ts';

/** A stored pod, or a template. */
export interface StoredPod {
  readonly metadata?: { readonly annotations?: Record<string, string> | null } | null | undefined;
  readonly spec: PodSpec;
}

/** `old` is the stored object: its existing values are not refused. */
export function podOptions(
  isPod: boolean,
  context: ValidationContext,
  old: StoredPod | null | undefined,
): PodOptions {
  const spec = old?.spec;
  const exceptions = old == null ? noExceptions : exceptionsOf(old);
  return {
    ...exceptions,
    isPod,
    allowPrivileged: context.allowPrivileged,
    restartAllContainers:
      context.enabled('RestartAllContainersOnContainerExits') || (spec != null && restartsAll(spec)),
    tolerationComparisons:
      context.enabled('TaintTolerationComparisonOperators') ||
      (spec?.tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt'),
    hostNetworkUserNamespaces:
      context.enabled('UserNamespacesHostNetworkSupport') ||
      (spec?.hostNetwork === true && spec.hostUsers === false),
    legacySpreadKeys:
      exceptions.legacySpreadKeys || !context.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge'),
    volumeLabelsByMount:
      context.enabled('SELinuxMount') || spec?.securityContext?.seLinuxChangePolicy != null,
  };
}

type Exceptions = Pick<
  PodOptions,
  | 'invalidLabelValuesInSelectors'
  | 'invalidLabelValuesInNodeAffinity'
  | 'indivisibleHugePages'
  | 'invalidDeletionCost'
  | 'nonLocalTokenPaths'
  | 'hostNamespaceSysctls'
  | 'volumeDevicesInUserNamespaces'
  | 'restartingInitContainerResize'
  | 'invalidSpreadSelectors'
  | 'legacySpreadKeys'
>;

const noExceptions: Exceptions = {
  invalidLabelValuesInSelectors: false,
  invalidLabelValuesInNodeAffinity: false,
  indivisibleHugePages: false,
  invalidDeletionCost: false,
  nonLocalTokenPaths: false,
  hostNamespaceSysctls: false,
  volumeDevicesInUserNamespaces: false,
  restartingInitContainerResize: false,
  invalidSpreadSelectors: false,
  legacySpreadKeys: false,
};

function exceptionsOf({ metadata, spec }: StoredPod): Exceptions {
  const cost = metadata?.annotations?.[deletionCostAnnotation];
  const spreads = spec.topologySpreadConstraints ?? [];
  return {
    invalidLabelValuesInSelectors: affinitySelectors(spec).some(isInvalidSelector),
    invalidLabelValuesInNodeAffinity: hasInvalidNodeAffinityValues(spec),
    indivisibleHugePages: hasIndivisibleHugePages(spec),
    invalidDeletionCost: cost !== undefined && !isDeletionCost(cost),
    nonLocalTokenPaths: tokenPaths(spec).some((path) =>
      finds((errors) => localNonReservedPath(path, anywhere, errors)),
    ),
    hostNamespaceSysctls: (spec.securityContext?.sysctls ?? []).some(
      ({ name }) => sysctlClash(name, spec) !== undefined,
    ),
    volumeDevicesInUserNamespaces:
      spec.hostUsers === false &&
      containersOf(spec).some(({ volumeDevices }) => (volumeDevices ?? []).length > 0),
    restartingInitContainerResize: (spec.initContainers ?? []).some(
      ({ restartPolicy, resizePolicy }) =>
        restartPolicy !== 'Always' &&
        (resizePolicy ?? []).some((policy) => policy.restartPolicy === 'RestartContainer'),
    ),
    invalidSpreadSelectors: spreads.some(({ labelSelector }) => isInvalidSelector(labelSelector)),
    legacySpreadKeys: spreads.some(({ matchLabelKeys, labelSelector }) =>
      finds((errors) => validateLabelKeys(matchLabelKeys ?? [], [], labelSelector, anywhere, errors)),
    ),
  };
}

/** The paths of the stored object's errors are not reported. */
const anywhere = pathOf('spec');

function finds(look: (errors: Errors) => void): boolean {
  const errors = new Errors();
  look(errors);
  return errors.length > 0;
}

const isInvalidSelector = (selector: LabelSelector | null | undefined): boolean =>
  validateLabelSelector(selector, anywhere).length > 0;

/** Sidecars have also had rules of their own since that feature. */
const restartsAll = ({ containers, initContainers }: PodSpec): boolean =>
  [...(containers ?? []), ...(initContainers ?? [])].some(({ restartPolicyRules }) =>
    (restartPolicyRules ?? []).some(({ action }) => action === 'RestartAllContainers'),
  ) ||
  (initContainers ?? []).some(
    ({ restartPolicy, restartPolicyRules }) =>
      restartPolicy === 'Always' && (restartPolicyRules ?? []).length > 0,
  );

const tokenPaths = ({ volumes }: PodSpec): string[] =>
  (volumes ?? []).flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }) =>
      serviceAccountToken == null ? [] : [serviceAccountToken.path],
    ),
  );

const hasIndivisibleHugePages = (spec: PodSpec): boolean =>
  [
    spec.overhead,
    ...containersOf(spec).flatMap(({ resources }: Container | EphemeralContainer) => [
      resources?.limits,
      resources?.requests,
    ]),
  ].some((amounts) => Object.entries(amounts ?? {}).some(([name, text]) => !areWholePages(name, text)));

function affinitySelectors({ affinity }: PodSpec): (LabelSelector | null | undefined)[] {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((side) => [
    ...(side?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(side?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ]);
  return terms.flatMap(({ labelSelector, namespaceSelector }) => [labelSelector, namespaceSelector]);
}

const hasInvalidNodeAffinityValues = ({ affinity }: PodSpec): boolean =>
  (affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).some(
    ({ matchExpressions }) => hasInvalidLabelValues(matchExpressions),
  );

/** For the expressions of a label selector or a node selector. */
export const hasInvalidLabelValues = (
  expressions: readonly { values?: string[] }[] | null | undefined,
): boolean =>
  (expressions ?? []).some(({ values }) => (values ?? []).some((value) => checkLabelValue(value).length > 0));
