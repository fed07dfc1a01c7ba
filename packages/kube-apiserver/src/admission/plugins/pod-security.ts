/**
 * Enforces the pod security level of a namespace's labels: refuses pods, and warns about templates that would create
 * such pods.
 */
import { invalid, type GroupResource, type KubeObject } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';
import {
  podSecurityDefaults,
  type PodSecurityConfiguration,
} from '../configuration/pod-security-configuration.ts';
import type { CheckedPod, Container, PodSpec } from '../pod-security/checked-pod.ts';
import {
  detailsText,
  isFullyPrivileged,
  isSame,
  isStricter,
  levelText,
  policyOf,
  reasonsText,
  statedText,
  violationsOf,
  type LevelVersion,
  type Policy,
  type PolicyLevels,
} from '../pod-security/policy.ts';

export const podSecurity = (
  objects: ObjectReader,
  newest: number,
  stated: PodSecurityConfiguration = podSecurityDefaults,
): AdmissionPlugin => {
  const configuration = { ...stated, newest };
  return {
    name: 'PodSecurity',
    handles: on('CREATE', 'UPDATE'),
    validate(attributes) {
      const { subresource } = attributes;
      const { group, resource: plural } = attributes.resource;
      const resource = { group, resource: plural };
      if (isSameResource(resource, resources.namespaces)) {
        return subresource === '' ? checkNamespace(attributes, objects, configuration) : undefined;
      }
      const isPod = isSameResource(resource, resources.pods);
      if (isPod ? harmlessSubresources.has(subresource) : subresource !== '' || !isTemplated(resource))
        return;
      const exemption = exemptionOf(attributes, configuration);
      if (exemption !== undefined) return attributes.annotate(exemptAnnotation, exemption);
      const namespace = objects.get<KubeObject>(resources.namespaces, '', attributes.namespace);
      const check = (found: KubeObject | undefined) =>
        checkPods(attributes, isPod, policyOf(found?.metadata.labels, configuration.defaults), configuration);
      return namespace instanceof Promise ? namespace.then(check) : check(namespace);
    },
  };
};

interface Configuration extends PodSecurityConfiguration {
  /** The newest version of the checks; later versions are treated like it. */
  readonly newest: number;
}

const enforcedAnnotation = 'pod-security.kubernetes.io/enforce-policy';
const exemptAnnotation = 'pod-security.kubernetes.io/exempt';

function exemptionOf(
  { namespace, user }: AdmissionAttributes,
  { exemptions }: PodSecurityConfiguration,
): string | undefined {
  if (exemptions.namespaces.has(namespace)) return 'namespace';
  return exemptions.usernames.has(user.name) ? 'user' : undefined;
}

/** Subresources that don't change what runs in the pod. */
const harmlessSubresources: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

const templated: readonly GroupResource[] = [
  { group: '', resource: 'podtemplates' },
  { group: '', resource: 'replicationcontrollers' },
  { group: 'apps', resource: 'daemonsets' },
  { group: 'apps', resource: 'deployments' },
  { group: 'apps', resource: 'replicasets' },
  { group: 'apps', resource: 'statefulsets' },
  { group: 'batch', resource: 'cronjobs' },
  { group: 'batch', resource: 'jobs' },
];

const isSameResource = (a: GroupResource, b: GroupResource): boolean =>
  a.group === b.group && a.resource === b.resource;

const isTemplated = (resource: GroupResource): boolean =>
  templated.some((other) => isSameResource(resource, other));

function checkPods(
  attributes: AdmissionAttributes,
  isPod: boolean,
  policy: Policy,
  { exemptions, newest }: Configuration,
): void {
  const { enforce, audit, warn } = policy;
  if (isFullyPrivileged(policy)) {
    if (isPod) attributes.annotate(enforcedAnnotation, levelText(enforce));
    return;
  }
  const pod = isPod ? podOf(objectOf<Pod>(attributes)) : templateOf(attributes.object!);
  if (pod === undefined) return;
  if (isPod) {
    if (attributes.operation === 'UPDATE' && !isSignificant(pod, podOf(oldObjectOf<Pod>(attributes)))) return;
  }
  if (exemptions.runtimeClasses.has(pod.spec.runtimeClassName ?? '')) {
    return attributes.annotate(exemptAnnotation, 'runtimeClass');
  }
  if (isPod) {
    attributes.annotate(enforcedAnnotation, levelText(enforce));
    const found = violationsOf(enforce, pod, newest);
    if (found.length > 0) {
      throw refused(attributes, `violates PodSecurity "${levelText(enforce)}": ${detailsText(found)}`);
    }
  }
  const report = (level: LevelVersion, say: (text: string) => void) => {
    const found = violationsOf(level, pod, newest);
    if (found.length > 0) say(`would violate PodSecurity "${levelText(level)}": ${detailsText(found)}`);
  };
  report(audit, (text) => attributes.annotate('pod-security.kubernetes.io/audit-violations', text));
  report(warn, (text) => attributes.warn(text));
}

const podOf = ({ metadata, spec }: Pod): CheckedPod => ({ annotations: metadata?.annotations ?? {}, spec });

interface Templated {
  readonly template?: {
    readonly metadata?: { readonly annotations?: Record<string, string> };
    readonly spec?: PodSpec;
  };
  readonly spec?: {
    readonly template?: Templated['template'];
    readonly jobTemplate?: { readonly spec?: Templated };
  };
}

function templateOf(object: KubeObject): CheckedPod | undefined {
  const { template: own, spec } = object as unknown as Templated;
  const template = own ?? spec?.template ?? spec?.jobTemplate?.spec?.template;
  if (template?.spec === undefined) return undefined;
  return { annotations: template.metadata?.annotations ?? {}, spec: template.spec };
}

/** Of a pod's mutable fields, only containers and their images matter. */
function isSignificant({ spec }: CheckedPod, { spec: old }: CheckedPod): boolean {
  const lists = (one: PodSpec) => [one.containers ?? [], one.initContainers ?? []] as readonly Container[][];
  const before = lists(old);
  if (lists(spec).some((list, i) => list.length !== before[i]!.length)) return true;
  if (lists(spec).some((list, i) => list.some(({ image }, k) => image !== before[i]![k]!.image))) return true;
  const ephemeral = old.ephemeralContainers ?? [];
  return (spec.ephemeralContainers ?? []).some(
    ({ name, image }) => ephemeral.find((other) => other.name === name)?.image !== image,
  );
}

/** The maximum number of pods that are checked when a namespace becomes stricter. */
const podsCheckedMax = 3000;

async function checkNamespace(
  attributes: AdmissionAttributes,
  objects: ObjectReader,
  { defaults, exemptions, newest }: Configuration,
): Promise<void> {
  const { metadata } = objectOf<KubeObject>(attributes);
  const policy = policyOf(metadata.labels, defaults);
  const old = attributes.oldObject && policyOf(attributes.oldObject.metadata.labels, defaults);
  const isNews = old === undefined || JSON.stringify(old.errors) !== JSON.stringify(policy.errors);
  if (policy.errors.length > 0 && isNews) throw invalid(attributes.kind, metadata.name ?? '', policy.errors);
  const isExempt = exemptions.namespaces.has(metadata.name ?? '');
  if (old === undefined) {
    if (isExempt) warnOfExemption(attributes, policy, defaults);
    return;
  }
  if (isSame(policy.enforce, old.enforce)) return;
  const { level, version } = policy.enforce;
  if (level === 'privileged') return;
  if (version === old.enforce.version && !isStricter(level, old.enforce.level)) return;
  if (isExempt) return warnOfExemption(attributes, policy, defaults);
  const all = await objects.list<Pod>(resources.pods, metadata.name ?? '');
  const pods = all.filter(({ spec }) => !exemptions.runtimeClasses.has(spec.runtimeClassName ?? ''));
  const violating = new Map<string, string[]>();
  for (const pod of pods.slice(0, podsCheckedMax)) {
    const found = violationsOf(policy.enforce, podOf(pod), newest);
    if (found.length === 0) continue;
    const reasons = reasonsText(found);
    violating.set(reasons, [...(violating.get(reasons) ?? []), pod.metadata.name!]);
  }
  if (violating.size === 0) return;
  attributes.warn(
    `existing pods in namespace "${metadata.name}" violate the new PodSecurity enforce level "${levelText(policy.enforce)}"`,
  );
  const lines = [...violating].map(([reasons, names]) => `${namesText(names)}: ${reasons}`);
  for (const line of lines.sort()) attributes.warn(line);
}

function warnOfExemption(
  attributes: AdmissionAttributes,
  policy: PolicyLevels,
  defaults: PolicyLevels,
): void {
  const modes = ['enforce', 'audit', 'warn'] as const;
  if (isFullyPrivileged(policy) || modes.every((mode) => isSame(policy[mode], defaults[mode]))) return;
  const { name = '', labels = {} } = attributes.object!.metadata;
  attributes.warn(
    `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${statedText(policy, labels)}) will be ignored`,
  );
}

function namesText(names: readonly string[]): string {
  const [first] = names.toSorted();
  if (names.length === 1) return first!;
  return `${first} (and ${names.length - 1} other ${names.length === 2 ? 'pod' : 'pods'})`;
}
