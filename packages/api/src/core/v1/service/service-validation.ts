import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkPortNumber,
  checkQualifiedName,
  notSupportedError,
  parseIp,
  validateLegacyCidr,
  validateLegacyIp,
  type FieldError,
} from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { check, pathOf, Errors } from '../../../meta/checks.ts';
import { goStruct } from '../../../meta/go-struct.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import {
  dns1035Name,
  labelName,
  metadataPath,
  validateLabels,
  validateMeta,
  validateObjectMetaUpdate,
} from '../../../meta/object-meta-validation.ts';
import { protocols } from '../pod/container-validation.ts';
import { validateReachable } from './endpoints-validation.ts';
import { validatePort } from '../pod/probe-validation.ts';
import { validateAddressing, validateAddressingUpdate, isHeadless } from './service-address-validation.ts';
import { isExternallyAccessible } from './service-defaults.ts';
import { ServicePort } from '../service-port.ts';
import type { LoadBalancerStatus, ServiceStatus } from '../service-status.ts';
import type { ServiceSpec } from '../service-spec.ts';

export type ServiceObject = StatusObject<ServiceSpec, ServiceStatus>;

const specPath = pathOf('spec');

export function validateService(
  service: ServiceObject,
  old: ServiceObject | undefined,
  { enabled }: Pick<ValidationContext, 'enabled'>,
): FieldError[] {
  const errors = new Errors();
  const name = enabled('RelaxedServiceNameValidation') ? labelName : dns1035Name;
  validateMeta(service.metadata, old?.metadata, { namespaced: true, name }, errors);
  if (old !== undefined) {
    validateAddressingUpdate(service.spec, old.spec, errors);
    validateBalancerClassUpdate(service.spec, old.spec, errors);
    const before = old.spec.healthCheckNodePort ?? 0;
    if (
      needsHealthCheck(old.spec) &&
      needsHealthCheck(service.spec) &&
      before !== (service.spec.healthCheckNodePort ?? 0)
    ) {
      errors.forbidden(specPath.child('healthCheckNodePort'), 'field is immutable');
    }
  }
  validateTopologyAnnotations(service, errors);
  validateType(service.spec, errors);
  validatePorts(service.spec, errors);
  validateLabels(service.spec.selector, specPath, 'selector', errors);
  validateAffinity(service.spec, errors);
  validateAddressing(service.spec, old?.spec, errors);
  validateExternalIps(service.spec, old?.spec, errors);
  validatePortsOfType(service.spec, errors);
  validateSourceRanges(service, old, errors);
  validateNodePortAllocation(service.spec, errors);
  validateBalancerClass(service.spec, errors);
  validateTrafficPolicies(service.spec, errors);
  return errors;
}

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const modeAnnotation = 'service.kubernetes.io/topology-mode';

function validateTopologyAnnotations({ metadata }: ServiceObject, errors: Errors): void {
  const mode = metadata.annotations?.[modeAnnotation];
  const hints = metadata.annotations?.[hintsAnnotation];
  if (mode !== undefined && hints !== undefined && mode !== hints) {
    errors.invalid(
      metadataPath.child('annotations').key(modeAnnotation),
      mode,
      `must match annotations[${hintsAnnotation}] when both are specified`,
    );
  }
}

function validateType(spec: ServiceSpec, errors: Errors): void {
  if ((spec.ports ?? []).length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') {
    errors.required(specPath.child('ports'));
  }
  if ((spec.type === 'LoadBalancer' || spec.type === 'NodePort') && isHeadless(spec)) {
    errors.invalid(
      specPath.child('clusterIPs').index(0),
      'None',
      `may not be set to 'None' for ${spec.type} services`,
    );
  }
  if (spec.type !== 'ExternalName') return;
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) {
    if ((spec[name] ?? '').length > 0) {
      errors.forbidden(specPath.child(name), 'may not be set for ExternalName services');
    }
  }
  const target = (spec.externalName ?? '').replace(/\.$/, '');
  if (target === '') errors.required(specPath.child('externalName'));
  else check(target, specPath.child('externalName'), checkDnsSubdomain, errors);
}

function validatePorts(spec: ServiceSpec, errors: Errors): void {
  const names = new Set<string>();
  const ports = spec.ports ?? [];
  for (const [index, port] of ports.entries()) {
    const path = specPath.child('ports').index(index);
    if (port.name) {
      check(port.name, path.child('name'), checkDnsLabel, errors);
      if (names.has(port.name)) errors.duplicate(path.child('name'), port.name);
      names.add(port.name);
    } else if (ports.length > 1) errors.required(path.child('name'));
    for (const message of checkPortNumber(port.port ?? 0)) {
      errors.invalid(path.child('port'), port.port ?? 0, message);
    }
    if (!port.protocol) errors.required(path.child('protocol'));
    else if (!protocols.includes(port.protocol)) {
      errors.notSupported(path.child('protocol'), port.protocol, protocols);
    }
    validatePort(port.targetPort, path.child('targetPort'), errors);
    if (port.appProtocol != null)
      check(port.appProtocol, path.child('appProtocol'), checkQualifiedName, errors);
  }
}

const affinityTypes: readonly string[] = ['ClientIP', 'None'];
const affinitySecondsMax = 86_400;

function validateAffinity(spec: ServiceSpec, errors: Errors): void {
  const path = specPath.child('sessionAffinity');
  if (!spec.sessionAffinity) errors.required(path);
  else if (!affinityTypes.includes(spec.sessionAffinity)) {
    errors.notSupported(path, spec.sessionAffinity, affinityTypes);
  }
  const config = spec.sessionAffinityConfig;
  const configPath = specPath.child('sessionAffinityConfig');
  if (spec.sessionAffinity === 'None' && config != null) {
    errors.forbidden(configPath, 'must not be set when session affinity is None');
  }
  if (spec.sessionAffinity !== 'ClientIP') return;
  const needed = 'when session affinity type is ClientIP';
  const seconds = config?.clientIP?.timeoutSeconds;
  if (config == null) errors.required(configPath, needed);
  else if (config.clientIP == null) errors.required(configPath.child('clientIP'), needed);
  else if (seconds == null) errors.required(configPath.child('clientIP', 'timeoutSeconds'), needed);
  else if (seconds <= 0 || seconds > affinitySecondsMax) {
    errors.invalid(
      configPath.child('clientIP', 'timeoutSeconds'),
      seconds,
      `must be greater than 0 and less than ${affinitySecondsMax}`,
    );
  }
}

function validateExternalIps(spec: ServiceSpec, old: ServiceSpec | undefined, errors: Errors): void {
  const known = new Set(old?.externalIPs);
  for (const [index, address] of (spec.externalIPs ?? []).entries()) {
    const path = specPath.child('externalIPs').index(index);
    const wrong = validateLegacyIp(path, address, known);
    appendAll(errors, wrong);
    if (wrong.length === 0) validateReachable(address, path, errors);
  }
}

const types: readonly string[] = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

function validatePortsOfType(spec: ServiceSpec, errors: Errors): void {
  if (!spec.type) errors.required(specPath.child('type'));
  else if (!types.includes(spec.type)) errors.notSupported(specPath.child('type'), spec.type, types);
  const ports = [...(spec.ports ?? []).entries()];
  const pathOfPort = (index: number) => specPath.child('ports').index(index);
  if (spec.type === 'ClusterIP') {
    for (const [index, { nodePort }] of ports) {
      if (!nodePort) continue;
      errors.forbidden(pathOfPort(index).child('nodePort'), "may not be used when `type` is 'ClusterIP'");
    }
  }
  const nodePorts = new Set<string>();
  for (const [index, { nodePort, protocol }] of ports) {
    if (!nodePort) continue;
    const key = `${protocol} ${nodePort}`;
    if (nodePorts.has(key)) errors.duplicate(pathOfPort(index).child('nodePort'), nodePort);
    nodePorts.add(key);
  }
  const keys = new Set<string>();
  for (const [index, { port, protocol }] of ports) {
    const key = `${protocol} ${port}`;
    if (keys.has(key)) {
      errors.duplicate(pathOfPort(index), goStruct(ServicePort, { protocol, port }));
    }
    keys.add(key);
  }
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyForBalancers = "may only be used when `type` is 'LoadBalancer'";

function validateSourceRanges(service: ServiceObject, old: ServiceObject | undefined, errors: Errors): void {
  const { spec } = service;
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0) {
    const path = specPath.child('LoadBalancerSourceRanges');
    if (spec.type !== 'LoadBalancer') errors.forbidden(path, onlyForBalancers);
    const known = new Set((old?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim()));
    for (const [index, range] of ranges.entries()) {
      appendAll(errors, validateLegacyCidr(path.index(index), range.trim(), known));
    }
    return;
  }
  const text = service.metadata.annotations?.[rangesAnnotation];
  if (text === undefined) return;
  const path = metadataPath.child('annotations').key(rangesAnnotation);
  if (spec.type !== 'LoadBalancer') errors.forbidden(path, onlyForBalancers);
  if (old?.metadata.annotations?.[rangesAnnotation] === text || text.trim() === '') return;
  for (const range of text.trim().split(',')) appendAll(errors, validateLegacyCidr(path, range.trim()));
}

function validateNodePortAllocation(spec: ServiceSpec, errors: Errors): void {
  const isBalancer = spec.type === 'LoadBalancer';
  if (spec.allocateLoadBalancerNodePorts != null && !isBalancer) {
    errors.forbidden(specPath.child('allocateLoadBalancerNodePorts'), onlyForBalancers);
  }
  if (spec.allocateLoadBalancerNodePorts == null && isBalancer) {
    errors.required('allocateLoadBalancerNodePorts');
  }
}

function validateBalancerClassUpdate(spec: ServiceSpec, old: ServiceSpec, errors: Errors): void {
  const bothBalancers = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer';
  if (bothBalancers && (spec.loadBalancerClass ?? null) !== (old.loadBalancerClass ?? null)) {
    errors.invalid(
      specPath.child('loadBalancerClass'),
      spec.loadBalancerClass ?? null,
      'may not change once set',
    );
  }
  validateBalancerClass(spec, errors);
}

function validateBalancerClass(spec: ServiceSpec, errors: Errors): void {
  if (spec.loadBalancerClass == null) return;
  const path = specPath.child('loadBalancerClass');
  if (spec.type === 'LoadBalancer') check(spec.loadBalancerClass, path, checkQualifiedName, errors);
  else errors.forbidden(path, onlyForBalancers);
}

const needsHealthCheck = (spec: ServiceSpec): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

const policies: readonly string[] = ['Cluster', 'Local'];
const oldDistributions: readonly string[] = ['PreferClose'];
const distributions: readonly string[] = [...oldDistributions, 'PreferSameZone', 'PreferSameNode'];
const distributionGate = 'PreferSameTrafficDistribution';

function validateTrafficPolicies(spec: ServiceSpec, errors: Errors): void {
  const external = spec.externalTrafficPolicy ?? '';
  const externalPath = specPath.child('externalTrafficPolicy');
  if (!isExternallyAccessible(spec)) {
    if (external) {
      errors.invalid(externalPath, external, 'may only be set for externally-accessible services');
    }
  } else if (!external) errors.required(externalPath);
  else if (!policies.includes(external)) errors.notSupported(externalPath, external, policies);
  validateHealthCheckPort(spec, errors);
  const internal = spec.internalTrafficPolicy;
  const internalPath = specPath.child('internalTrafficPolicy');
  if (internal == null) {
    if (['NodePort', 'LoadBalancer', 'ClusterIP'].includes(spec.type ?? '')) errors.required(internalPath);
  } else if (!policies.includes(internal)) errors.notSupported(internalPath, internal, policies);
  const distribution = spec.trafficDistribution;
  if (distribution == null) return;
  const path = specPath.child('trafficDistribution');
  if (!oldDistributions.includes(distribution)) {
    errors.push({ ...notSupportedError(path, distribution, oldDistributions), unless: distributionGate });
  }
  if (!distributions.includes(distribution)) {
    errors.push({ ...notSupportedError(path, distribution, distributions), gate: distributionGate });
  }
}

function validateHealthCheckPort(spec: ServiceSpec, errors: Errors): void {
  const path = specPath.child('healthCheckNodePort');
  const port = spec.healthCheckNodePort ?? 0;
  if (!needsHealthCheck(spec)) {
    if (port === 0) return;
    errors.invalid(
      path,
      port,
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    );
  } else if (port === 0) errors.required(path);
  else for (const message of checkPortNumber(port)) errors.invalid(path, port, message);
}

export function validateServiceStatus(service: ServiceObject, old: ServiceObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(service.metadata, old.metadata, errors);
  const path = pathOf('status', 'loadBalancer', 'ingress');
  const ingress = service.status.loadBalancer?.ingress ?? [];
  if (service.spec.type !== 'LoadBalancer' && ingress.length > 0) {
    errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
    return errors;
  }
  const known = new Set((old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : [])));
  for (const [index, point] of ingress.entries()) validateIngress(point, known, path.index(index), errors);
  return errors;
}

const ipModes: readonly string[] = ['Proxy', 'VIP'];

function validateIngress(
  { ip, ipMode, hostname }: NonNullable<LoadBalancerStatus['ingress']>[number],
  known: ReadonlySet<string>,
  path: ReturnType<typeof pathOf>,
  errors: Errors,
): void {
  if (ip) appendAll(errors, validateLegacyIp(path.child('ip'), ip, known));
  const modePath = path.child('ipMode');
  if (ipMode == null) {
    if (ip) errors.required(modePath, 'must be specified when `ip` is set');
  } else if (!ip) errors.forbidden(modePath, 'may not be specified when `ip` is not set');
  else if (!ipModes.includes(ipMode)) errors.notSupported(modePath, ipMode, ipModes);
  if (!hostname) return;
  check(hostname, path.child('hostname'), checkDnsSubdomain, errors);
  if (parseIp(hostname) !== undefined) {
    errors.invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address');
  }
}
