/**
 * UDP has no end of a connection: the kernel keeps sending a client's packets to the first endpoint, even after that
 * endpoint is gone. This removes conntrack entries that do not lead to a serving endpoint.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { runCommand } from '@coxswain/nftables';
import {
  addressText,
  ipFamilies,
  type IpFamily,
  type PlanChanges,
  type ServiceRule,
} from '../model/service-rule.ts';
import { parseFlow, type UdpFlow } from './udp-flow.ts';

export type RunConntrack = (args: readonly string[]) => Promise<string>;

export interface ConntrackCleanerOptions {
  readonly run?: RunConntrack;
  readonly onError?: (error: unknown) => void;
  readonly cleaned?: (family: IpFamily, flows: number, seconds: number) => void;
  readonly clock?: Clock;
}

/** The maximum number of entries that one run of the program deletes. */
const batchLengthMax = 500;

const familyWord: Readonly<Record<IpFamily, string>> = { IPv4: 'ipv4', IPv6: 'ipv6' };

export class ConntrackCleaner {
  readonly #run: RunConntrack;
  readonly #onError: (error: unknown) => void;
  readonly #cleaned: (family: IpFamily, flows: number, seconds: number) => void;
  readonly #clock: Clock;
  readonly #services = new Map<string, readonly ServiceRule[]>();
  readonly #due = new Set<IpFamily>();

  constructor({
    run,
    onError = () => {},
    cleaned = () => {},
    clock = systemClock,
  }: ConntrackCleanerOptions = {}) {
    this.#clock = clock;
    this.#run = run ?? ((args) => runCommand('conntrack', args));
    this.#onError = onError;
    this.#cleaned = cleaned;
  }

  setServices(changes: PlanChanges): void {
    for (const [key, plan] of changes) {
      const before = this.#services.get(key) ?? [];
      const rules = plan?.rules.filter(({ protocol }) => protocol === 'UDP') ?? [];
      if (rules.length === 0) this.#services.delete(key);
      else this.#services.set(key, rules);
      for (const { family } of [...before, ...rules]) this.#due.add(family);
    }
  }

  /** Does nothing if no UDP service changed. A failure is reported, and the next change tries again. */
  async clean(): Promise<void> {
    const due = ipFamilies.filter((family) => this.#due.has(family));
    this.#due.clear();
    for (const family of due) {
      try {
        await this.#cleanFamily(family);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  async #cleanFamily(family: IpFamily): Promise<void> {
    const serving = this.#servingEndpoints(family);
    if (serving.byAddress.size === 0 && serving.byNodePort.size === 0) return;
    const startMs = this.#clock.monotonic();
    const listing = await this.#run(['-L', '-p', 'udp', '-f', familyWord[family]]);
    const stale = listing
      .split('\n')
      .map(parseFlow)
      .filter((flow): flow is UdpFlow => flow !== undefined && leadsNowhere(flow, serving));
    for (let start = 0; start < stale.length; start += batchLengthMax) {
      const commands = stale
        .slice(start, start + batchLengthMax)
        .map(
          ({ from, fromPort, to, toPort }) =>
            `-D -f ${familyWord[family]} -p udp -s ${from} -d ${to} --sport ${fromPort} --dport ${toPort}\n`,
        );
      await this.#deleteFlows(commands.join(''));
    }
    this.#cleaned(family, stale.length, (this.#clock.monotonic() - startMs) / 1000);
  }

  /** Commands are passed in a file, since the program cannot open the kind of pipe that it would be given. */
  async #deleteFlows(commands: string): Promise<void> {
    const directory = await mkdtemp(path.join(tmpdir(), 'kube-proxy-'));
    try {
      const file = path.join(directory, 'flows');
      await writeFile(file, commands);
      await this.#run(['-R', file]);
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  /** A service without endpoints keeps its entries: there is no better destination. */
  #servingEndpoints(family: IpFamily): ServingEndpoints {
    const byAddress = new Map<string, ReadonlySet<string>>();
    const byNodePort = new Map<number, ReadonlySet<string>>();
    for (const rules of this.#services.values())
      for (const rule of rules) {
        if (rule.family !== family || rule.servingEndpoints.length === 0) continue;
        const endpoints = new Set(rule.servingEndpoints);
        for (const ip of [rule.clusterIp, ...rule.loadBalancerIps, ...rule.externalIps])
          byAddress.set(addressText({ ip, port: rule.port }), endpoints);
        if (rule.nodePort > 0) byNodePort.set(rule.nodePort, endpoints);
      }
    return { byAddress, byNodePort };
  }
}

interface ServingEndpoints {
  readonly byAddress: ReadonlyMap<string, ReadonlySet<string>>;
  readonly byNodePort: ReadonlyMap<number, ReadonlySet<string>>;
}

function leadsNowhere(
  { to, toPort, answers, answersPort }: UdpFlow,
  { byAddress, byNodePort }: ServingEndpoints,
): boolean {
  const endpoints = byAddress.get(addressText({ ip: to, port: toPort })) ?? byNodePort.get(toPort);
  return endpoints !== undefined && !endpoints.has(addressText({ ip: answers, port: answersPort }));
}
