/** Warnings about fields of pods and templates that are accepted but rarely intended. */

import {
  checkDnsLabel,
  checkLabelValue,
  FieldPath,
  goQuote,
  hasFraction,
  ipWarnings,
  parseQuantity,
} from '@coxswain/apimachinery';
import type { ObjectMeta } from '@coxswain/schema';
import type { PodAffinity } from '../affinity.ts';
import type { Container, EphemeralContainer } from '../container.ts';
import type { NodeSelectorTerm } from '../node-selector.ts';
import { claimSpecWarnings } from '../volume/persistent-volume-claim-warnings.ts';
import { visitContainers } from './pod-containers.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodTemplateSpec } from '../pod-template-spec.ts';
import { deprecatedLabel } from '../node/deprecated-labels.ts';
import { pathOverlapWarnings } from './path-overlap-warnings.ts';

interface PodObject {
  metadata: ObjectMeta;
  spec: PodSpec;
}

/** Updates of pods come from programs, so they cause no warnings. */
export function podWarnings(pod: PodObject, old: PodObject | undefined): string[] {
  if (old !== undefined) return [];
  return [
    ...nameWarnings(pod.metadata.name, "the Pod's hostname"),
    ...specWarnings(pod.spec, pod.metadata, undefined),
  ];
}

/** For names from which pods' names are generated. */
export function nameWarnings(name: string | undefined, use = 'Pod names and hostnames'): string[] {
  const messages = checkDnsLabel(name ?? '');
  if (messages.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
  ];
}

export const templateWarnings = (template: PodTemplateSpec | null | undefined, path: FieldPath): string[] =>
  template == null ? [] : specWarnings(template.spec, template.metadata, path);

/** `parent` is set for a template. */
function specWarnings(
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  parent: FieldPath | undefined,
): string[] {
  const path = parent?.child('spec') ?? FieldPath.of('spec');
  const annotationsPath = parent?.child('metadata', 'annotations') ?? FieldPath.of('metadata', 'annotations');
  const annotations = metadata?.annotations ?? {};
  return [
    ...labelWarnings(spec, path),
    ...deprecatedAnnotations.flatMap(([key, message]) =>
      annotations[key] === undefined ? [] : [`${annotationsPath.key(key)}: ${message}`],
    ),
    ...volumeWarnings(spec, path.child('volumes')),
    ...repetitionWarnings(spec, path),
    ...fractionWarnings(spec.overhead, path.child('overhead')),
    ...profileWarnings(spec, annotations, annotationsPath),
    ...containerWarnings(spec, annotations, annotationsPath, parent !== undefined, path),
    ...portWarnings(spec, path),
    ...graceWarnings(spec, path),
    ...affinityWarnings(spec.affinity?.podAffinity, path.child('affinity', 'podAffinity')),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, path.child('affinity', 'podAntiAffinity')),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      ipWarnings(path.child('dnsConfig', 'nameservers').index(index), server),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) =>
      ipWarnings(path.child('hostAliases').index(index).child('ip'), ip ?? ''),
    ),
  ];
}

const deprecatedAnnotations = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
] as const;

const noPods = 'a null labelSelector results in matching no pod';

function labelWarnings(spec: PodSpec, path: FieldPath): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {}).sort()) {
    const message = deprecatedLabel(key);
    if (message !== undefined) warnings.push(`${path.child('nodeSelector').key(key)}: ${message}`);
  }
  const affinity = spec.affinity?.nodeAffinity;
  const affinityPath = path.child('affinity', 'nodeAffinity');
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const [index, term] of required.entries()) {
    const at = affinityPath
      .child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms')
      .index(index);
    warnings.push(...termWarnings(term, false, at));
  }
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  for (const [index, { preference }] of preferred.entries()) {
    const at = affinityPath.child('preferredDuringSchedulingIgnoredDuringExecution').index(index);
    warnings.push(...termWarnings(preference, true, at.child('preference')));
  }
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = path.child('topologySpreadConstraints').index(index);
    const message = deprecatedLabel(topologyKey);
    if (message !== undefined) warnings.push(`${at.child('topologyKey')}: ${topologyKey} is ${message}`);
    if (labelSelector == null) warnings.push(`${at.child('labelSelector')}: ${noPods}`);
  }
  return warnings;
}

export function termWarnings(
  term: NodeSelectorTerm | undefined,
  checkValues: boolean,
  path: FieldPath,
): string[] {
  const warnings: string[] = [];
  for (const [index, { key, values }] of (term?.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    const message = deprecatedLabel(key);
    if (message !== undefined) warnings.push(`${at.child('key')}: ${key} is ${message}`);
    if (!checkValues) continue;
    for (const [position, value] of (values ?? []).entries()) {
      for (const detail of checkLabelValue(value)) {
        warnings.push(`${at.child('values').index(position)}: ${value} is invalid, ${detail}`);
      }
    }
  }
  return warnings;
}

const deprecatedSources = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
] as const;
const lateDeprecatedSources = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

function volumeWarnings(spec: PodSpec, path: FieldPath): string[] {
  const warnings: string[] = [];
  for (const [index, volume] of (spec.volumes ?? []).entries()) {
    const at = path.index(index);
    for (const [name, message, shown] of deprecatedSources) {
      if (volume[name] != null) warnings.push(`${at.child(shown ?? name)}: ${message}`);
    }
    const template = volume.ephemeral?.volumeClaimTemplate;
    if (template != null) {
      const templatePath = at.child('ephemeral', 'volumeClaimTemplate', 'spec');
      warnings.push(...claimSpecWarnings(template.spec, templatePath));
    }
    for (const [name, message] of lateDeprecatedSources) {
      if (volume[name] != null) warnings.push(`${at.child(name)}: ${message}`);
    }
  }
  return [...warnings, ...pathOverlapWarnings(spec.volumes ?? [])];
}

function repetitionWarnings(spec: PodSpec, path: FieldPath): string[] {
  const warnings: string[] = [];
  const repeated = (values: readonly string[], list: string, name: string): void => {
    const seen = new Set<string>();
    for (const [index, value] of values.entries()) {
      const at = path.child(list).index(index).child(name);
      if (seen.has(value)) warnings.push(`${at}: duplicate ${name} ${goQuote(value)}`);
      seen.add(value);
    }
  };
  repeated(
    (spec.hostAliases ?? []).map(({ ip }) => ip ?? ''),
    'hostAliases',
    'ip',
  );
  const secrets = (spec.imagePullSecrets ?? []).map(({ name }) => name ?? '');
  repeated(secrets, 'imagePullSecrets', 'name');
  for (const [index, name] of secrets.entries()) {
    if (name !== '') continue;
    warnings.push(`${path.child('imagePullSecrets').index(index).child('name')}: invalid empty name ""`);
  }
  return warnings;
}

/** Bytes are indivisible. */
export function fractionWarnings(
  amounts: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  names: readonly string[] = ['memory', 'ephemeral-storage'],
): string[] {
  return names.flatMap((name) => {
    const text = amounts?.[name];
    if (text === undefined || !hasFraction(parseQuantity(text))) return [];
    return [`${path.key(name)}: fractional byte value ${goQuote(text)} is invalid, must be an integer`];
  });
}

const seccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';
const useSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function profileWarnings(
  { securityContext }: PodSpec,
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
): string[] {
  if (securityContext?.seccompProfile != null || annotations[seccompAnnotation] === undefined) return [];
  return [`${path.key(seccompAnnotation)}: ${useSeccomp}`];
}

function containerWarnings(
  spec: PodSpec,
  annotations: Readonly<Record<string, string>>,
  annotationsPath: FieldPath,
  isTemplate: boolean,
  path: FieldPath,
): string[] {
  const warnings: string[] = [];
  visitContainers(spec, path, (container, at) => {
    const { name, resources, securityContext } = container;
    const seccomp = seccompContainerAnnotation + name;
    if (securityContext?.seccompProfile == null && annotations[seccomp] !== undefined) {
      warnings.push(`${annotationsPath.key(seccomp)}: ${useSeccomp}`);
    }
    const appArmor = appArmorAnnotation + name;
    if (
      isTemplate &&
      securityContext?.appArmorProfile == null &&
      spec.securityContext?.appArmorProfile == null &&
      annotations[appArmor] !== undefined
    ) {
      const message = 'deprecated since v1.30; use the "appArmorProfile" field instead';
      warnings.push(`${annotationsPath.key(appArmor)}: ${message}`);
    }
    for (const resource of ['memory', 'ephemeral-storage']) {
      for (const list of ['limits', 'requests'] as const) {
        warnings.push(...fractionWarnings(resources?.[list], at.child('resources', list), [resource]));
      }
    }
    warnings.push(...environmentWarnings(container, at.child('env')));
  });
  return warnings;
}

/** A variable may refer to a previous one with the same name; otherwise the previous one is lost. */
function environmentWarnings({ env }: Container | EphemeralContainer, path: FieldPath): string[] {
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const [index, { name, value = '', valueFrom }] of (env ?? []).entries()) {
    const reference = `$(${name})`;
    const hides = valueFrom != null || value === reference || !value.includes(reference);
    if (seen.has(name) && hides) {
      warnings.push(
        `${path.index(index)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
      );
    }
    seen.add(name);
  }
  return warnings;
}

interface Port {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: string;
  hostIP?: string;
}

function portWarnings(spec: PodSpec, path: FieldPath): string[] {
  const warnings: string[] = [];
  const known = new Map<string, { port: Port; at: FieldPath }[]>();
  const names = new Map<string, FieldPath>();
  const repeatedNames: string[] = [];
  visitContainers(spec, path, ({ ports }, containerPath) => {
    for (const [index, port] of (ports ?? []).entries()) {
      const at = containerPath.child('ports').index(index);
      if (port.hostIP && !port.hostPort) {
        const { name = '', containerPort, protocol = '' } = port;
        const printed = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${port.hostIP}}`;
        warnings.push(`${at}: hostIP set without hostPort: ${printed}`);
      }
      const key = `${port.containerPort}/${port.protocol ?? ''}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const relation = portRelation(port, other.port);
        if (relation !== undefined) warnings.push(`${at}: ${relation} port definition with ${other.at}`);
      }
      known.set(key, [...others, { port, at }]);
      if (!port.name) continue;
      const first = names.get(port.name);
      if (first === undefined) names.set(port.name, at);
      else {
        repeatedNames.push(
          `${at}: duplicate port name ${goQuote(port.name)} with ${first}, services and probes that select ports by name will use ${first}`,
        );
      }
    }
  });
  return [...warnings, ...repeatedNames];
}

function portRelation(port: Port, other: Port): string | undefined {
  const [hostPort, otherPort] = [port.hostPort ?? 0, other.hostPort ?? 0];
  const [ip, otherIp] = [port.hostIP ?? '', other.hostIP ?? ''];
  if (ip === otherIp && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  const isOneOpen = (ip === '') !== (otherIp === '');
  return hostPort === otherPort && isOneOpen ? 'dangerously ambiguous' : undefined;
}

function graceWarnings({ terminationGracePeriodSeconds: seconds }: PodSpec, path: FieldPath): string[] {
  if (seconds == null || seconds >= 0) return [];
  const at = path.child('terminationGracePeriodSeconds');
  return [`${at}: must be >= 0; negative values are invalid and will be treated as 1`];
}

function affinityWarnings(affinity: PodAffinity | null | undefined, path: FieldPath): string[] {
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const requiredPath = path.child('requiredDuringSchedulingIgnoredDuringExecution');
  const preferredPath = path.child('preferredDuringSchedulingIgnoredDuringExecution');
  return [
    ...required.flatMap(({ labelSelector }, index) =>
      labelSelector == null ? [`${requiredPath.index(index).child('labelSelector')}: ${noPods}`] : [],
    ),
    ...preferred.flatMap(({ podAffinityTerm }, index) =>
      podAffinityTerm?.labelSelector == null
        ? [`${preferredPath.index(index).child('podAffinityTerm', 'labelSelector')}: ${noPods}`]
        : [],
    ),
  ];
}
