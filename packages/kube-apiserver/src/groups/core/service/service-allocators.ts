/** Addresses and node ports of services: taken before a write, given back when it fails. */
import { internalError, invalid, invalidError, StatusError } from '@coxswain/apimachinery';
import type { FinishWrite } from '@coxswain/apiserver';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { alignClusterIps, keepAllocatedValues } from './allocated-values.ts';
import { RangeFullError } from './cluster-ip-allocator.ts';
import type { ClusterIpAllocator, IpFamily } from './cluster-ip-allocator.ts';
import { fillIpFamilies } from './ip-families.ts';
import type { NodePortAllocator, PortOperation } from './node-port-allocator.ts';
import {
  allocatesNodePorts,
  headless,
  mayHaveNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  nodePortsOf,
} from './service-needs.ts';

export class ServiceAllocators {
  readonly #addresses: ReadonlyMap<IpFamily, ClusterIpAllocator>;
  readonly #ports: NodePortAllocator;

  /** @param addresses the default family first */
  constructor(addresses: readonly ClusterIpAllocator[], ports: NodePortAllocator) {
    this.#addresses = new Map(addresses.map((allocator) => [allocator.family, allocator]));
    this.#ports = ports;
  }

  /** Marks the ports of a service that is stored already; its addresses are in the book. */
  adopt(service: Service): void {
    for (const port of nodePortsOf(service)) this.#ports.adopt(port);
    if (service.spec.healthCheckNodePort) this.#ports.adopt(service.spec.healthCheckNodePort);
  }

  async beginCreate(service: Service, dryRun: boolean): Promise<FinishWrite> {
    alignClusterIps(service);
    fillIpFamilies(service, undefined, [...this.#addresses.keys()]);
    const ports = this.#ports.begin(dryRun);
    const taken = await this.#takeAddresses(service, dryRun);
    try {
      if (mayHaveNodePorts(service)) takeNodePorts(service, ports);
      if (needsHealthCheckPort(service)) takeHealthCheckPort(service, ports);
    } catch (error) {
      ports.finish(false);
      await this.#release(taken);
      throw error;
    }
    return (succeeded) => {
      ports.finish(succeeded);
      return succeeded || dryRun ? undefined : this.#release(taken);
    };
  }

  async beginUpdate(service: Service, old: Service, dryRun: boolean): Promise<FinishWrite> {
    keepAllocatedValues(service, old);
    alignClusterIps(service, old);
    fillIpFamilies(service, old, [...this.#addresses.keys()]);
    const ports = this.#ports.begin(dryRun);
    const { taken, given } = await this.#changeAddresses(service, old, dryRun);
    try {
      changeNodePorts(service, old, ports);
      changeHealthCheckPort(service, old, ports);
    } catch (error) {
      ports.finish(false);
      if (!dryRun) await this.#release(taken);
      throw error;
    }
    return (succeeded) => {
      ports.finish(succeeded);
      return dryRun ? undefined : this.#release(succeeded ? given : taken);
    };
  }

  /** Gives back what a deleted service had. */
  async afterDelete(service: Service): Promise<void> {
    if (needsClusterIp(service)) await this.#release(realAddresses(service));
    for (const port of nodePortsOf(service)) this.#ports.release(port);
    if (service.spec.healthCheckNodePort) this.#ports.release(service.spec.healthCheckNodePort);
  }

  async #takeAddresses(service: Service, dryRun: boolean): Promise<string[]> {
    const { spec } = service;
    if (!needsClusterIp(service) || spec.clusterIPs?.[0] === headless) return [];
    const ips = [...(spec.clusterIPs ?? [])];
    const taken: string[] = [];
    for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
      ips[i] = await this.#takeAddress(service, family as IpFamily, ips[i] ?? '', dryRun, taken);
    }
    spec.clusterIPs = ips;
    if (ips[0] !== undefined) spec.clusterIP = ips[0];
    return dryRun ? [] : taken;
  }

  async #takeAddress(
    service: Service,
    family: IpFamily,
    wanted: string,
    dryRun: boolean,
    taken: string[],
  ): Promise<string> {
    const allocator = this.#addresses.get(family)!;
    const { name = '', namespace = '' } = service.metadata;
    try {
      if (wanted !== '') await allocator.take(wanted, { name, namespace }, dryRun);
      const ip = wanted === '' ? await allocator.takeAny({ name, namespace }, dryRun) : wanted;
      taken.push(ip);
      return ip;
    } catch (error) {
      if (!dryRun) await this.#release(taken);
      throw addressRefused(service, wanted, error as Error);
    }
  }

  async #changeAddresses(
    service: Service,
    old: Service,
    dryRun: boolean,
  ): Promise<{ taken: string[]; given: string[] }> {
    if (!needsClusterIp(old) && needsClusterIp(service)) {
      return { taken: await this.#takeAddresses(service, dryRun), given: [] };
    }
    if (!needsClusterIp(old) || old.spec.clusterIPs?.[0] === headless) return { taken: [], given: [] };
    if (!needsClusterIp(service)) return { taken: [], given: realAddresses(old) };
    const [before, after] = [old.spec.ipFamilies?.length ?? 0, service.spec.ipFamilies?.length ?? 0];
    if (before === 2 && after === 1) return { taken: [], given: realAddresses(old).slice(1) };
    if (before !== 1 || after !== 2) return { taken: [], given: [] };
    const taken: string[] = [];
    const family = service.spec.ipFamilies![1] as IpFamily;
    const second = await this.#takeAddress(
      service,
      family,
      service.spec.clusterIPs?.[1] ?? '',
      dryRun,
      taken,
    );
    service.spec.clusterIPs = [service.spec.clusterIPs![0]!, second];
    return { taken, given: [] };
  }

  async #release(ips: readonly string[]): Promise<void> {
    for (const ip of ips) {
      await this.#addresses.get(ip.includes(':') ? 'IPv6' : 'IPv4')?.release(ip);
    }
  }
}

const realAddresses = ({ spec }: Service): string[] =>
  (spec.clusterIPs ?? []).filter((ip) => ip !== headless && ip !== '');

function addressRefused(service: Service, wanted: string, error: Error): Error {
  if (error instanceof StatusError) return error;
  const name = service.metadata.name ?? '';
  if (error instanceof RangeFullError) {
    return internalError(
      `failed to allocate a serviceIP for Service ${JSON.stringify(name)}: ${error.message}`,
    );
  }
  const detail =
    wanted === ''
      ? `failed to allocate IP: ${error.message}`
      : `failed to allocate IP ${wanted}: ${error.message}`;
  return refused(service, 'spec.clusterIPs', service.spec.clusterIPs, detail);
}

/** One number for all ports of a service that share its own number, as the original does it. */
function takeNodePorts(service: Service, operation: PortOperation): void {
  const chosen = new Map<number, number>();
  const ports = service.spec.ports ?? [];
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort && !allocatesNodePorts(service)) continue;
    const earlier = chosen.get(port.port);
    if (earlier === undefined) {
      const wanted = ports.find((other) => other.port === port.port && other.nodePort)?.nodePort;
      port.nodePort = wanted === undefined ? takeAnyPort(operation) : takePort(service, i, wanted, operation);
      chosen.set(port.port, port.nodePort);
    } else if (!port.nodePort) port.nodePort = earlier;
    else if (port.nodePort !== earlier) takePort(service, i, port.nodePort, operation);
  }
}

function changeNodePorts(service: Service, old: Service, operation: PortOperation): void {
  const before = nodePortsOf(old);
  if (!mayHaveNodePorts(service)) {
    if (mayHaveNodePorts(old)) for (const port of before) operation.releaseLater(port);
    return;
  }
  const takenHere = new Set<number>();
  const seen = new Set<string>();
  for (const [i, port] of (service.spec.ports ?? []).entries()) {
    if (!port.nodePort && !allocatesNodePorts(service)) continue;
    if (!port.nodePort) port.nodePort = takeAnyPort(operation);
    else if (!before.includes(port.nodePort) && !takenHere.has(port.nodePort)) {
      takePort(service, i, port.nodePort, operation);
      takenHere.add(port.nodePort);
    }
    const key = `${port.protocol} ${port.nodePort}`;
    if (seen.has(key)) throw new StatusError(500, '', `duplicate nodePort: {${key}}`);
    seen.add(key);
  }
  const after = nodePortsOf(service);
  for (const port of before) if (!after.includes(port)) operation.releaseLater(port);
}

function changeHealthCheckPort(service: Service, old: Service, operation: PortOperation): void {
  const [needed, needs] = [needsHealthCheckPort(old), needsHealthCheckPort(service)];
  if (!needed && needs) takeHealthCheckPort(service, operation);
  else if (needed && !needs && old.spec.healthCheckNodePort)
    operation.releaseLater(old.spec.healthCheckNodePort);
}

function takeHealthCheckPort(service: Service, operation: PortOperation): void {
  const wanted = service.spec.healthCheckNodePort;
  if (!wanted) {
    service.spec.healthCheckNodePort = takeAnyPort(operation);
    return;
  }
  const problem = operation.take(wanted);
  if (problem !== undefined) {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
  }
}

function takePort(service: Service, index: number, port: number, operation: PortOperation): number {
  const problem = operation.take(port);
  if (problem !== undefined) throw refused(service, `spec.ports[${index}].nodePort`, port, problem);
  return port;
}

function takeAnyPort(operation: PortOperation): number {
  const port = operation.takeAny();
  if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
  return port;
}

const refused = (service: Service, field: string, value: unknown, detail: string): StatusError =>
  invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [invalidError(field, value, detail)]);
