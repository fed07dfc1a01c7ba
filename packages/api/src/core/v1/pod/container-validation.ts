/** Validates containers, init containers and ephemeral containers. */

import { checkDnsLabel, checkPortName, checkPortNumber, type FieldPath } from '@coxswain/apimachinery';
import { check, type Errors } from '../../../meta/checks.ts';
import { wasSentEmpty } from '@coxswain/schema';
import type {
  Container,
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartRule,
  EphemeralContainer,
} from '../container.ts';
import { validateEnvironment, validateEnvironmentFrom } from './environment-validation.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodOptions } from './pod-options.ts';
import { validateLifecycle, validateProbes } from './probe-validation.ts';
import { containerResourceName, validateRequirements } from './resource-validation.ts';
import { validateContainerSecurity } from './security-context-validation.ts';
import { validateDevices, validateMounts } from '../volume/volume-mount-validation.ts';
import { validatePullPolicy } from '../volume/volume-validation.ts';
import type { Volume } from '../volume.ts';

/** The context of a container's validation. */
export interface ContainerSurroundings {
  readonly spec: PodSpec;
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claimNames: ReadonlySet<string>;
  readonly hostUsers: boolean;
  readonly options: PodOptions;
}

export function validateContainers(around: ContainerSurroundings, path: FieldPath, errors: Errors): void {
  const containers = around.spec.containers ?? [];
  if (containers.length === 0) {
    errors.required(path);
    return;
  }
  const names = new Set<string>();
  for (let index = 0; index < containers.length; index++) {
    const container = containers[index]!;
    const at = path.index(index);
    validateCommon(container, around, at, errors);
    if (names.has(container.name)) errors.duplicate(at.child('name'), container.name);
    names.add(container.name);
    validateLife(container, around, at, errors);
    validateRestartPolicy(
      container.restartPolicy,
      container.restartPolicyRules ?? [],
      at,
      around.options,
      errors,
    );
  }
  validateHostPorts(containers, path, errors);
}

export function validateInitContainers(around: ContainerSurroundings, path: FieldPath, errors: Errors): void {
  const { spec, options } = around;
  const names = new Set((spec.containers ?? []).map(({ name }) => name));
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const at = path.index(index);
    validateCommon(container, around, at, errors);
    validateInitRestartPolicy(container, at, options, errors);
    if (names.has(container.name)) errors.duplicate(at.child('name'), container.name);
    else if (container.name) names.add(container.name);
    validateHostPorts([container], path, errors);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) validateLife(container, around, at, errors);
    else {
      for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
        if (container[name] == null) continue;
        errors.forbidden(at.child(name), 'may not be set for init containers without restartPolicy=Always');
      }
    }
    if (isSidecar || options.restartingInitContainerResize) continue;
    for (const [policyIndex, policy] of (container.resizePolicy ?? []).entries()) {
      if (policy.restartPolicy !== 'RestartContainer') continue;
      errors.invalid(
        at.child('resizePolicy').index(policyIndex).child('restartPolicy'),
        policy.restartPolicy,
        "must not be set to 'RestartContainer' for non-sidecar initContainers",
      );
    }
  }
}

/** The Go names of fields that an ephemeral container cannot have, in declared order, as errors show them. */
const notForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

export function validateEphemeralContainers(
  around: ContainerSurroundings,
  path: FieldPath,
  errors: Errors,
): void {
  const { spec } = around;
  const ephemeral = spec.ephemeralContainers ?? [];
  if (ephemeral.length === 0) return;
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name),
  );
  const names = new Set(others);
  for (const [index, container] of ephemeral.entries()) {
    const at = path.index(index);
    validateCommon(container, around, at, errors);
    validateImageSpaces(container.image ?? '', at, errors);
    if (names.has(container.name)) errors.duplicate(at.child('name'), container.name);
    names.add(container.name);
    const target = container.targetContainerName;
    if (target && !others.has(target)) errors.notFound(at.child('targetContainerName'), target);
    for (const name of notForEphemeral) {
      if (isSet(container, name)) {
        errors.forbidden(at.child(name), 'cannot be set for an Ephemeral Container');
      }
    }
    for (const [mountIndex, mount] of (container.volumeMounts ?? []).entries()) {
      for (const name of ['subPath', 'subPathExpr'] as const) {
        if (!mount[name]) continue;
        errors.forbidden(
          at.child('volumeMounts').index(mountIndex).child(name),
          'cannot be set for an Ephemeral Container',
        );
      }
    }
  }
}

/** A list that was sent empty counts as set; resources count only if they are not empty. */
function isSet(container: EphemeralContainer, name: (typeof notForEphemeral)[number]): boolean {
  const value = container[name];
  if (name !== 'resources') return value != null || wasSentEmpty(container, name);
  const resources = container.resources ?? {};
  return (['limits', 'requests', 'claims'] as const).some(
    (list) => resources[list] != null || wasSentEmpty(resources, list),
  );
}

/** Images in templates may be surrounded by spaces, as old ones were. */
export function validateImages(containers: readonly Container[], path: FieldPath, errors: Errors): void {
  for (let index = 0; index < containers.length; index++) {
    const image = containers[index]!.image ?? '';
    if (hasOuterSpaces(image)) validateImageSpaces(image, path.index(index), errors);
  }
}

const hasOuterSpaces = (text: string): boolean => text.length !== text.trim().length;

function validateImageSpaces(image: string, path: FieldPath, errors: Errors): void {
  if (hasOuterSpaces(image)) {
    errors.invalid(path.child('image'), image, 'must not have leading or trailing whitespace');
  }
}

const messagePolicies = ['File', 'FallbackToLogsOnError'];

function validateCommon(
  container: Container | EphemeralContainer,
  around: ContainerSurroundings,
  path: FieldPath,
  errors: Errors,
): void {
  if (!container.name) errors.required(path.child('name'));
  else check(container.name, path.child('name'), checkDnsLabel, errors);
  if (!container.image) errors.required(path.child('image'));
  const messagePolicy = container.terminationMessagePolicy;
  if (!messagePolicy) errors.required(path.child('terminationMessagePolicy'));
  else if (!messagePolicies.includes(messagePolicy)) {
    errors.notSupported(path.child('terminationMessagePolicy'), messagePolicy, messagePolicies);
  }
  if (container.ports != null) validatePorts(container.ports, path.child('ports'), errors);
  if (container.env != null) validateEnvironment(container.env, path.child('env'), errors);
  if (container.envFrom != null) validateEnvironmentFrom(container.envFrom, path.child('envFrom'), errors);
  if (container.volumeMounts != null)
    validateMounts(container, around.volumes, path.child('volumeMounts'), errors);
  if (container.volumeDevices != null)
    validateDevices(container, around.volumes, path.child('volumeDevices'), errors);
  validatePullPolicy(container.imagePullPolicy, path, 'imagePullPolicy', errors);
  validateRequirements(
    container.resources,
    containerResourceName,
    around.claimNames,
    around.options.indivisibleHugePages,
    path.child('resources'),
    errors,
  );
  if (container.resizePolicy != null) {
    validateResizePolicies(
      container.resizePolicy,
      around.spec.restartPolicy,
      path.child('resizePolicy'),
      errors,
    );
  }
  validateContainerSecurity(
    container.securityContext,
    around.hostUsers,
    path.child('securityContext'),
    around.options,
    errors,
  );
}

function validateLife(
  container: Container,
  { spec }: ContainerSurroundings,
  path: FieldPath,
  errors: Errors,
): void {
  if (container.lifecycle != null) {
    validateLifecycle(
      container.lifecycle,
      spec.terminationGracePeriodSeconds,
      spec.os?.name,
      path.child('lifecycle'),
      errors,
    );
  }
  validateProbes(container, path, errors);
}

/** Sorted, as errors list them. */
export const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: readonly ContainerPort[], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  for (let index = 0; index < ports.length; index++) {
    const { name, containerPort, hostPort, protocol } = ports[index]!;
    const at = path.index(index);
    if (name) {
      const messages = checkPortName(name);
      for (const message of messages) errors.invalid(at.child('name'), name, message);
      if (messages.length === 0 && names.has(name)) errors.duplicate(at.child('name'), name);
      names.add(name);
    }
    if (!containerPort) errors.required(at.child('containerPort'));
    else
      for (const message of checkPortNumber(containerPort)) {
        errors.invalid(at.child('containerPort'), containerPort, message);
      }
    if (hostPort) {
      for (const message of checkPortNumber(hostPort))
        errors.invalid(at.child('hostPort'), hostPort, message);
    }
    if (!protocol) errors.required(at.child('protocol'));
    else if (!protocols.includes(protocol)) {
      errors.notSupported(at.child('protocol'), protocol, protocols);
    }
  }
}

function validateHostPorts(containers: readonly Container[], path: FieldPath, errors: Errors): void {
  let used: Set<string> | undefined;
  for (const [index, { ports }] of containers.entries()) {
    for (const [portIndex, { hostPort, protocol, hostIP }] of (ports ?? []).entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP ?? ''}/${hostPort}`;
      used ??= new Set();
      if (used.has(key)) {
        errors.duplicate(path.index(index).child('ports').index(portIndex).child('hostPort'), key);
      }
      used.add(key);
    }
  }
}

const resizeResources = ['cpu', 'memory'];
const resizeRestarts = ['NotRequired', 'RestartContainer'];

function validateResizePolicies(
  policies: readonly ContainerResizePolicy[],
  podRestartPolicy: string | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  const names = new Set<string>();
  for (const [index, { resourceName, restartPolicy }] of policies.entries()) {
    if (names.has(resourceName)) errors.duplicate(path.index(index), resourceName);
    names.add(resourceName);
    if (!resourceName) errors.required(path);
    else if (!resizeResources.includes(resourceName)) {
      errors.notSupported(path, resourceName, resizeResources);
    }
    if (!restartPolicy) errors.required(path);
    else if (!resizeRestarts.includes(restartPolicy)) {
      errors.notSupported(path, restartPolicy, resizeRestarts);
    }
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      errors.invalid(path, restartPolicy ?? '', "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}

function validateInitRestartPolicy(
  container: Container,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  const rules = container.restartPolicyRules ?? [];
  if (container.restartPolicy == null) {
    if (rules.length > 0) errors.required(path.child('restartPolicy'), rulesWithoutPolicy);
    return;
  }
  if (container.restartPolicy === 'Always' && !options.restartAllContainers) {
    if (rules.length > 0) {
      errors.forbidden(
        path.child('restartPolicyRules'),
        'restartPolicyRules are not allowed for init containers with restart policy Always',
      );
    }
    return;
  }
  validateRestartPolicy(container.restartPolicy, rules, path, options, errors);
}

const restartPolicies = ['Always', 'Never', 'OnFailure'];
const exitCodeOperators = ['In', 'NotIn'];
const rulesWithoutPolicy = 'must specify restartPolicy when restart rules are used';
const restartRulesMax = 20;
const exitCodesMax = 255;

function validateRestartPolicy(
  policy: string | undefined,
  rules: readonly ContainerRestartRule[],
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  if (policy == null) {
    if (rules.length === 0) return;
    errors.required(path.child('restartPolicy'), rulesWithoutPolicy);
  } else if (!restartPolicies.includes(policy)) {
    errors.notSupported(path.child('restartPolicy'), policy, restartPolicies);
  }
  if (rules.length > restartRulesMax) {
    errors.tooMany(path.child('restartPolicyRules'), rules.length, restartRulesMax);
  }
  const actions = options.restartAllContainers ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  for (const [index, { action, exitCodes }] of rules.entries()) {
    const at = path.child('restartPolicyRules').index(index);
    if (!actions.includes(action ?? '')) errors.notSupported(at.child('action'), action ?? '', actions);
    if (exitCodes == null) {
      errors.required(at.child('exitCodes'), 'must be specified');
      continue;
    }
    if (!exitCodeOperators.includes(exitCodes.operator ?? '')) {
      errors.notSupported(at.child('exitCodes', 'operator'), exitCodes.operator ?? '', exitCodeOperators);
    }
    const count = (exitCodes.values ?? []).length;
    if (count > exitCodesMax) errors.tooMany(at.child('exitCodes', 'values'), count, exitCodesMax);
  }
}
