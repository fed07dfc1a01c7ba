/** Allocates the node ports of a service around a write. */
import { internalError, StatusError } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { PortOperation } from './node-port-allocator.ts';
import {
  allocatesNodePorts,
  mayHaveNodePorts,
  needsHealthCheckPort,
  nodePortsOf,
  refused,
} from './service-needs.ts';

/** @throws StatusError for an unavailable port */
export function takeNodePorts(service: Service, operation: PortOperation): void {
  if (mayHaveNodePorts(service)) takeServicePorts(service, operation);
  if (needsHealthCheckPort(service)) takeHealthCheckPort(service, operation);
}

/** @throws StatusError for an unavailable port */
export function changeNodePorts(service: Service, old: Service, operation: PortOperation): void {
  if (mayHaveNodePorts(service)) changeServicePorts(service, old, operation);
  else if (mayHaveNodePorts(old)) for (const port of nodePortsOf(old)) operation.releaseLater(port);
  changeHealthCheckPort(service, old, operation);
}

/** Ports of a service with the same port number share one node port, as upstream. */
function takeServicePorts(service: Service, operation: PortOperation): void {
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

function changeServicePorts(service: Service, old: Service, operation: PortOperation): void {
  const before = nodePortsOf(old);
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
    service.spec.healthCheckNodePort = takeAnyPort(operation, 'HealthCheck NodePort 0');
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

function takeAnyPort(operation: PortOperation, what = 'nodePort'): number {
  const port = operation.takeAny();
  if (port === undefined) throw internalError(`failed to allocate a ${what}: range is full`);
  return port;
}
