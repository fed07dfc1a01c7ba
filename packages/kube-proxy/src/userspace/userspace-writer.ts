/**
 * A mode that exists only here, for tests and for users without privileges: this process accepts connections and
 * datagrams and forwards them, so pods see it as the client. It listens on node ports, and on cluster addresses that
 * the machine has: all of 127.0.0.0/8, if the service range lies there. Other services get a port on 127.0.0.1, which
 * {@link UserspaceWriter.addressOf} and the log show.
 */
import {
  addressText,
  type EndpointAddress,
  type PlanChanges,
  type ServiceRule,
} from '../model/service-rule.ts';
import type { RuleWriter } from '../rule-writer.ts';
import { forwardTcp } from './forward-tcp.ts';
import { forwardUdp } from './forward-udp.ts';
import type { ChooseEndpoint, Forwarder } from './forwarder.ts';

export interface UserspaceOptions {
  readonly signal: AbortSignal;
  readonly log?: (text: string) => void;
}

export interface UserspaceWriter extends RuleWriter {
  /** `127.0.0.1:43211`: where the service port listens in place of its cluster address. */
  addressOf(ruleName: string): string | undefined;
}

interface Served {
  rule: ServiceRule;
  next: number;
  readonly sticky: Map<string, { endpoint: string; untilMs: number }>;
  readonly forwarders: Forwarder[];
  readonly address: string | undefined;
}

/** The maximum number of remembered clients per service port; the oldest are dropped first. */
const stickyClientsMax = 10_000;
const anyHost = { IPv4: '0.0.0.0', IPv6: '::' } as const;
const loopback = { IPv4: '127.0.0.1', IPv6: '::1' } as const;

export function userspaceWriter({ signal, log = () => {} }: UserspaceOptions): UserspaceWriter {
  const served = new Map<string, Map<string, Served>>();
  signal.addEventListener('abort', () => {
    for (const ports of served.values()) for (const one of ports.values()) closeAll(one);
    served.clear();
  });
  return {
    addressOf(name) {
      for (const ports of served.values())
        for (const { rule, address } of ports.values()) if (rule.name === name) return address;
      return undefined;
    },
    async write(changes: PlanChanges) {
      for (const [service, plan] of changes) {
        const before = served.get(service) ?? new Map<string, Served>();
        const after = new Map<string, Served>();
        for (const rule of plan?.rules ?? []) {
          const key = frontOf(rule);
          const known = before.get(key);
          before.delete(key);
          if (known !== undefined) known.rule = rule;
          after.set(key, known ?? (await open(rule, log)));
        }
        for (const gone of before.values()) closeAll(gone);
        if (after.size === 0) served.delete(service);
        else served.set(service, after);
      }
      return undefined;
    },
  };
}

const closeAll = ({ forwarders }: Served): void => forwarders.forEach((forwarder) => forwarder.close());

/** Properties that cannot change while the socket is open. */
const frontOf = ({ name, protocol, clusterIp, port, nodePort }: ServiceRule): string =>
  `${name} ${protocol} ${clusterIp} ${port} ${nodePort}`;

async function open(rule: ServiceRule, log: (text: string) => void): Promise<Served> {
  const forwarders: Forwarder[] = [];
  const place = { rule, next: 0, sticky: new Map(), forwarders };
  const served: Served = { ...place, address: undefined };
  const listen = async (host: string, port: number, isOutside: boolean) => {
    const forwarder = await forwardOn(rule, host, port, (clientIp) => choose(served, clientIp, isOutside));
    forwarders.push(forwarder);
    return addressText({ ip: host, port: forwarder.port });
  };
  if (rule.protocol === 'SCTP') {
    log(`${rule.name}: SCTP is not supported in userspace mode`);
    return served;
  }
  let address: string | undefined;
  try {
    address = await listen(rule.clusterIp, rule.port, false);
  } catch {
    address = await listen(loopback[rule.family], 0, false);
    log(`${rule.name} (${addressText({ ip: rule.clusterIp, port: rule.port })}) listens on ${address}`);
  }
  if (rule.nodePort > 0)
    await listen(anyHost[rule.family], rule.nodePort, true).catch((error: unknown) =>
      log(`${rule.name}: node port ${rule.nodePort}: ${String(error)}`),
    );
  return Object.assign(served, { address });
}

const forwardOn = (
  { protocol }: ServiceRule,
  host: string,
  port: number,
  chooseEndpoint: ChooseEndpoint,
): Promise<Forwarder> =>
  protocol === 'UDP' ? forwardUdp(host, port, chooseEndpoint) : forwardTcp(host, port, chooseEndpoint);

/** Round robin, except that a client bound to an endpoint returns to it. */
function choose(served: Served, clientIp: string, isOutside: boolean): EndpointAddress | undefined {
  const { rule, sticky } = served;
  const isLocal = isOutside ? rule.externalIsLocal : rule.internalIsLocal;
  const endpoints = isLocal ? rule.localEndpoints : rule.clusterEndpoints;
  if (endpoints.length === 0) return undefined;
  const nowMs = performance.now();
  const bound = sticky.get(clientIp);
  const known =
    bound !== undefined && bound.untilMs > nowMs
      ? endpoints.find((endpoint) => addressText(endpoint) === bound.endpoint)
      : undefined;
  const chosen = known ?? endpoints[served.next++ % endpoints.length]!;
  if (rule.affinitySeconds > 0) {
    sticky.delete(clientIp);
    sticky.set(clientIp, { endpoint: addressText(chosen), untilMs: nowMs + rule.affinitySeconds * 1000 });
    if (sticky.size > stickyClientsMax) sticky.delete(sticky.keys().next().value!);
  }
  return chosen;
}
