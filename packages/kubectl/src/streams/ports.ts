/** Maps local ports to ports of the pod. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';

export interface ForwardedPort {
  /** 0 for any. */
  readonly local: number;
  readonly remote: number;
}

interface PodPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

type ServicePort = Live<core.ServicePort>;

/** A port as specified, and the corresponding port of the pod. */
export interface MeantPort {
  readonly local: string;
  readonly remote: number;
}

/**
 * Parses `8080`, `8080:80`, `:80`, `8080:http`; with further colons, only the first number counts.
 * @throws Error for ports that the object lacks, or UDP ports
 */
export function meantPorts(texts: readonly string[], object: KubeObject, pod: KubeObject): MeantPort[] {
  const podPorts = portsOfPod(pod);
  const translate = object.kind === 'Service' ? servicePort(object, podPorts) : podPort(pod, podPorts);
  return texts.map((text) => {
    const [first = '', second, ...more] = text.split(':');
    if (second !== undefined && more.length === 0) {
      if (second === '') throw new Error('remote port cannot be empty');
      return { local: first === '' ? '0' : first, remote: translate(second).target };
    }
    const { own, target } = translate(first);
    return { local: /^\d+$/.test(first) ? first : String(own), remote: target };
  });
}

const portMax = 65_535;

/** @throws Error for an invalid port */
export function forwardedPorts(meant: readonly MeantPort[]): ForwardedPort[] {
  return meant.map(({ local, remote }) => {
    const number = Number(local);
    if (!/^\d+$/.test(local) || number > portMax)
      throw new Error(
        `error parsing local port '${local}': strconv.ParseUint: parsing ${JSON.stringify(local)}: ${/^\d+$/.test(local) ? 'value out of range' : 'invalid syntax'}`,
      );
    if (remote > portMax)
      throw new Error(
        `error parsing remote port '${remote}': strconv.ParseUint: parsing "${remote}": value out of range`,
      );
    if (remote === 0) throw new Error('remote port must be > 0');
    return { local: number, remote };
  });
}

/** `own` is the local port if none is specified. */
type Translate = (remote: string) => { readonly own: number; readonly target: number };

const portsOfPod = (pod: KubeObject): readonly PodPort[] => {
  const { containers = [] } = (pod as { spec?: { containers?: { ports?: PodPort[] }[] } }).spec ?? {};
  return containers.flatMap(({ ports = [] }) => ports);
};

function podPort(pod: KubeObject, ports: readonly PodPort[]): Translate {
  const isUdp = onlyUdp(ports.map(({ containerPort, protocol }) => ({ port: containerPort, protocol })));
  return (remote) => {
    const port = /^\d+$/.test(remote)
      ? Number(remote)
      : ports.find(({ name }) => name === remote)?.containerPort;
    if (port === undefined)
      throw new Error(`Pod '${pod.metadata.name}' does not have a named port '${remote}'`);
    if (isUdp(port)) throw new Error(`UDP protocol is not supported for ${remote}`);
    return { own: port, target: port };
  };
}

function servicePort(service: KubeObject, podPorts: readonly PodPort[]): Translate {
  const { spec = {}, metadata } = service as KubeObject & {
    spec?: { ports?: ServicePort[]; clusterIP?: string };
  };
  const ports = spec.ports ?? [];
  const isUdp = onlyUdp(ports);
  return (remote) => {
    const found = /^\d+$/.test(remote)
      ? ports.find(({ port }) => port === Number(remote))
      : ports.find(({ name }) => name === remote);
    if (found === undefined)
      throw new Error(
        /^\d+$/.test(remote)
          ? `Service ${metadata.name} does not have a service port ${remote}`
          : `Service '${metadata.name}' does not have a named port '${remote}'`,
      );
    if (isUdp(found.port)) throw new Error(`UDP protocol is not supported for ${remote}`);
    // Behind a headless service, the port is the pod's own.
    if (spec.clusterIP === 'None') return { own: found.port, target: found.port };
    const { targetPort } = found;
    const target =
      typeof targetPort === 'string'
        ? podPorts.find(({ name }) => name === targetPort)?.containerPort
        : targetPort || found.port;
    if (target === undefined)
      throw new Error(`Pod does not have a named port '${targetPort}' for service '${metadata.name}'`);
    return { own: found.port, target };
  };
}

function onlyUdp(ports: readonly { readonly port: number; readonly protocol?: string | undefined }[]) {
  const of = (wanted: string) =>
    new Set(ports.filter(({ protocol = 'TCP' }) => protocol === wanted).map(({ port }) => port));
  const [udp, tcp] = [of('UDP'), of('TCP')];
  return (port: number): boolean => udp.has(port) && !tcp.has(port);
}
