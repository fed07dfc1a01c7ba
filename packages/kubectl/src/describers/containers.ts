/** Describes containers of a pod or template, with their states if they have any. */
import type { Live } from '@coxswain/apimachinery';
import type * as core from '@coxswain/api/core/v1/index.ts';
import {
  canonicalQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '@coxswain/apimachinery/quantity.ts';
import { escapeHost, escapePath } from '@coxswain/apimachinery/url-text.ts';
import { boolText, orNone, timeText, type DescriptionText } from './text.ts';

type Quantities = Readonly<Record<string, string>>;

export type Probe = Live<core.Probe>;

export type EnvVar = Live<core.EnvVar>;

export interface Resources {
  readonly limits?: Quantities;
  readonly requests?: Quantities;
}

export type Container = Live<core.Container>;

export type ContainerState = Live<core.ContainerState>;

export type ContainerStatus = Live<core.ContainerStatus>;

export interface ContainersPlace {
  readonly statuses?: readonly ContainerStatus[];
  /** Whether they are in a pod template. */
  readonly nested?: boolean;
  /** Returns the value of a field of the pod, for variables that refer to it. */
  fieldValue?(path: string): string;
}

export function describeContainers(
  text: DescriptionText,
  title: string,
  containers: readonly Container[],
  place: ContainersPlace = {},
): void {
  const space = place.nested ? '  ' : '';
  text.line(0, `${space}${title}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = place.statuses?.find(({ name }) => name === container.name);
    text.line(1, `${place.nested ? ' ' : ''}${container.name}:`);
    describeBasics(text, container, status);
    describeCommand(text, container);
    if (status !== undefined) describeStatus(text, status);
    describeResources(text, container.resources, 2);
    describeProbes(text, container);
    describeEnvFrom(text, container);
    describeEnv(text, container, place);
    describeMounts(text, container);
  }
}

function describeBasics(
  text: DescriptionText,
  container: Container,
  status: ContainerStatus | undefined,
): void {
  if (status !== undefined) text.field(2, 'Container ID', status.containerID);
  text.field(2, 'Image', container.image);
  if (status !== undefined) text.field(2, 'Image ID', status.imageID);
  describePorts(text, 'Port', container, ({ containerPort }) => containerPort);
  describePorts(text, 'Host Port', container, ({ hostPort = 0 }) => hostPort);
  const seccomp = container.securityContext?.seccompProfile;
  if (seccomp === undefined) return;
  text.field(2, 'SeccompProfile', seccomp.type);
  if (seccomp.type === 'Localhost') text.field(3, 'LocalhostProfile', seccomp.localhostProfile);
}

function describePorts(
  text: DescriptionText,
  title: string,
  { ports = [] }: Container,
  number: (port: NonNullable<Container['ports']>[number]) => number,
): void {
  const shown = ports
    .map((port) => `${number(port)}/${port.protocol ?? 'TCP'}${port.name ? ` (${port.name})` : ''}`)
    .join(', ');
  text.field(2, shown.includes(',') ? `${title}s` : title, orNone(shown));
}

function describeCommand(text: DescriptionText, { command = [], args = [] }: Container): void {
  for (const [title, words] of [
    ['Command', command],
    ['Args', args],
  ] as const) {
    if (words.length === 0) continue;
    text.line(2, `${title}:`);
    for (const line of words.flatMap((word) => word.split('\n'))) text.line(3, line);
  }
}

function describeStatus(text: DescriptionText, status: ContainerStatus): void {
  describeState(text, 'State', status.state ?? {});
  if (status.lastState?.terminated) describeState(text, 'Last State', status.lastState);
  text.field(2, 'Ready', boolText(status.ready ?? false));
  text.field(2, 'Restart Count', status.restartCount ?? 0);
}

function describeState(
  text: DescriptionText,
  title: string,
  { running, waiting, terminated }: ContainerState,
): void {
  if (running) {
    text.field(2, title, 'Running');
    text.field(3, 'Started', timeText(running.startedAt));
  } else if (terminated && !waiting) {
    text.field(2, title, 'Terminated');
    text.optional(3, 'Reason', terminated.reason);
    text.optional(3, 'Message', terminated.message);
    text.field(3, 'Exit Code', terminated.exitCode ?? 0);
    if ((terminated.signal ?? 0) > 0) text.field(3, 'Signal', terminated.signal);
    text.field(3, 'Started', timeText(terminated.startedAt));
    text.field(3, 'Finished', timeText(terminated.finishedAt));
  } else {
    text.field(2, title, 'Waiting');
    text.optional(3, 'Reason', waiting?.reason);
  }
}

export function describeResources(
  text: DescriptionText,
  resources: Resources | undefined,
  level: number,
): void {
  for (const [title, quantities] of [
    ['Limits', resources?.limits],
    ['Requests', resources?.requests],
  ] as const) {
    const names = Object.keys(quantities ?? {}).sort();
    if (names.length > 0) text.line(level, `${title}:`);
    for (const name of names) text.field(level + 1, name, canonicalQuantity(String(quantities?.[name])));
  }
}

function describeProbes(
  text: DescriptionText,
  { livenessProbe, readinessProbe, startupProbe }: Container,
): void {
  if (livenessProbe) text.field(2, 'Liveness', probeText(livenessProbe));
  if (readinessProbe) text.field(2, 'Readiness', probeText(readinessProbe));
  if (startupProbe) text.field(2, 'Startup', probeText(startupProbe));
}

function probeText(probe: Probe): string {
  const {
    initialDelaySeconds = 0,
    timeoutSeconds = 0,
    periodSeconds = 0,
    successThreshold = 0,
    failureThreshold = 0,
  } = probe;
  const how = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s #success=${successThreshold} #failure=${failureThreshold}`;
  if (probe.exec) return `exec [${(probe.exec.command ?? []).join(' ')}] ${how}`;
  if (probe.httpGet) {
    return `http-get ${urlOf(probe.httpGet)} ${how}`;
  }
  if (probe.tcpSocket) return `tcp-socket ${probe.tcpSocket.host ?? ''}:${probe.tcpSocket.port} ${how}`;
  if (probe.grpc) return `grpc <pod>:${probe.grpc.port} ${probe.grpc.service ?? ''} ${how}`;
  return `unknown ${how}`;
}

function urlOf({ scheme = '', host = '', port = '', path = '' }: NonNullable<Probe['httpGet']>): string {
  const bracketed = /[:%]/.test(host) ? `[${host}]` : host;
  const place = port === '' ? host : `${bracketed}:${port}`;
  const start = scheme === '' ? '' : `${scheme.toLowerCase()}:`;
  const slashes = place !== '' || (scheme !== '' && path !== '') ? '//' : '';
  const slash = path === '' || path.startsWith('/') || place === '' ? '' : '/';
  return `${start}${slashes}${escapeHost(place)}${slash}${escapePath(path)}`;
}

function describeEnvFrom(text: DescriptionText, { envFrom = [] }: Container): void {
  if (envFrom.length === 0) return;
  text.line(2, 'Environment Variables from:');
  for (const { prefix, configMapRef, secretRef } of envFrom) {
    const from = configMapRef ? 'ConfigMap' : secretRef ? 'Secret' : '';
    const reference = configMapRef ?? secretRef;
    const how = prefix ? `${from} with prefix '${prefix}'` : from;
    text.line(3, `${reference?.name ?? ''}\t${how}\tOptional: ${reference?.optional ?? false}`);
  }
}

function describeEnv(text: DescriptionText, container: Container, place: ContainersPlace): void {
  const { env = [] } = container;
  text.line(2, `Environment:${env.length === 0 ? '\t<none>' : ''}`);
  for (const variable of env) {
    const { name, value = '', valueFrom } = variable;
    if (!valueFrom) {
      value.split('\n').forEach((line, index) => text.line(3, `${index === 0 ? `${name}:` : ''}\t${line}`));
      continue;
    }
    const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
    if (fieldRef) {
      const known = place.fieldValue?.(fieldRef.fieldPath) ?? '';
      text.line(3, `${name}:\t${known} (${fieldRef.apiVersion ?? 'v1'}:${fieldRef.fieldPath})`);
    } else if (resourceFieldRef) {
      text.line(3, `${name}:\t${resourceValue(container, resourceFieldRef)} (${resourceFieldRef.resource})`);
    } else if (secretKeyRef) {
      text.line(
        3,
        `${name}:\t<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name ?? ''}'>\tOptional: ${secretKeyRef.optional ?? false}`,
      );
    } else if (configMapKeyRef) {
      text.line(
        3,
        `${name}:\t<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name ?? ''}'>\tOptional: ${configMapKeyRef.optional ?? false}`,
      );
    }
  }
}

function resourceValue(
  container: Container,
  reference: { readonly resource: string; readonly divisor?: string },
): string {
  const share = resourceShare(container, reference);
  return share === '0' && reference.resource.startsWith('limits.') ? 'node allocatable' : share;
}

/** A limit or request in units of the divisor, rounded up. */
export function resourceShare(
  container: Pick<Container, 'resources'>,
  { resource, divisor = '1' }: { readonly resource: string; readonly divisor?: string },
): string {
  const [which, name = ''] = resource.split('.');
  const quantities = which === 'limits' ? container.resources?.limits : container.resources?.requests;
  const quantity = parseQuantity(quantities?.[name] ?? '0');
  const unit = parseQuantity(divisor === '0' ? '1' : divisor);
  const value =
    name === 'cpu'
      ? Math.ceil(quantityMilliValue(quantity) / quantityMilliValue(unit))
      : Math.ceil(quantityValue(quantity) / quantityValue(unit));
  return String(value);
}

function describeMounts(text: DescriptionText, { volumeMounts = [], volumeDevices = [] }: Container): void {
  text.line(2, `Mounts:${volumeMounts.length === 0 ? '\t<none>' : ''}`);
  for (const mount of [...volumeMounts].sort((a, b) => (a.mountPath < b.mountPath ? -1 : 1))) {
    const how = [
      mount.readOnly ? 'ro' : 'rw',
      ...(mount.subPath ? [`path=${JSON.stringify(mount.subPath)}`] : []),
    ];
    text.line(3, `${mount.mountPath} from ${mount.name} (${how.join(',')})`);
  }
  if (volumeDevices.length === 0) return;
  text.line(2, `Devices:${volumeMounts.length === 0 ? '\t<none>' : ''}`);
  for (const { devicePath, name } of [...volumeDevices].sort((a, b) =>
    a.devicePath < b.devicePath ? -1 : 1,
  )) {
    text.line(3, `${devicePath} from ${name}`);
  }
}
