/**
 * A node and its pods without containers: network namespaces connected as by the ptp plugin (every pod has its own link
 * to the node, which routes), and one host outside the node. Packets are real.
 */
import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Probe, ProbeAnswer, ProbeRequest } from './lab-agent.ts';

export type Protocol = Probe['protocol'];

export interface LabHost {
  readonly name: string;
  readonly ipv4: string;
  readonly ipv6: string;
}

export interface Attempt {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: Protocol;
  readonly isExpected: boolean;
  readonly family?: 'IPv4' | 'IPv6';
}

export interface NetworkLab {
  /** `['ip', 'netns', 'exec', …, 'nft']`: the packet filter of the node. */
  readonly nft: readonly string[];
  readonly host: (name: string) => LabHost;
  /** Tries all probes concurrently and returns unexpected results. */
  wrong(attempts: readonly Attempt[]): Promise<readonly string[]>;
  /** Runs a program in the network of a host. */
  run(name: string, ...command: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** An expected answer arrives long before; an unexpected one would have arrived by then, too. */
const patienceMs = 10_000;
const silenceMs = 500;

/** The node, and a host outside it. */
export const nodeHost = 'node';
export const outsideHost = 'outside';

/** The reason why such a lab is not possible here; undefined if it is. */
export function whyNoLab(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  for (const program of ['ip', 'nft', 'unshare'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`;
  const tried = spawnSync('unshare', ['-n', 'nft', 'add', 'table', 'inet', 'trial'], { encoding: 'utf8' });
  return tried.status === 0 ? undefined : `no network namespaces, or no nftables: ${tried.stderr}`;
}

const run = promisify(execFile);

let labs = 0;

export async function startNetworkLab(
  pods: readonly string[],
  ports: readonly number[],
): Promise<NetworkLab> {
  const prefix = `cxnp-${process.pid}-${labs++}`;
  const names = [...pods, outsideHost];
  const hosts = new Map<string, LabHost>([
    [nodeHost, { name: nodeHost, ipv4: '10.99.255.1', ipv6: 'fd99::ffff:1' }],
    ...names.map((name, index): [string, LabHost] => [
      name,
      name === outsideHost
        ? { name, ipv4: '192.0.2.10', ipv6: 'fd98::10' }
        : { name, ipv4: `10.99.0.${index + 2}`, ipv6: `fd99::${(index + 2).toString(16)}` },
    ]),
  ]);
  const host = (name: string): LabHost => {
    const found = hosts.get(name);
    if (found === undefined) throw new Error(`no host ${name}`);
    return found;
  };
  const namespaceOf = (name: string): string => `${prefix}-${name.replaceAll('/', '-')}`;
  const agents = new Map<string, Agent>();
  const stop = async (): Promise<void> => {
    await Promise.all([...agents.values()].map((agent) => agent.stop()));
    for (const name of hosts.keys()) spawnSync('ip', ['netns', 'delete', namespaceOf(name)]);
  };
  try {
    execFileSync('sh', ['-e'], {
      input: wiring([...hosts.values()], namespaceOf),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const name of hosts.keys()) agents.set(name, new Agent(namespaceOf(name), ports));
    await Promise.all([...agents.values()].map(({ ready }) => ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    nft: ['ip', 'netns', 'exec', namespaceOf(nodeHost), 'nft'],
    host,
    stop,
    async run(name, ...command) {
      const { stdout } = await run('ip', ['netns', 'exec', namespaceOf(name), ...command]);
      return stdout;
    },
    async wrong(attempts) {
      const tried = [...Map.groupBy(attempts, ({ from }) => from)].map(async ([from, own]) => {
        const reached = await agents
          .get(from)!
          .probe(own.map((attempt) => probeOf(attempt, host(attempt.to))));
        return own.flatMap((attempt, index) =>
          reached[index] === attempt.isExpected ? [] : [attemptText(attempt)],
        );
      });
      return (await Promise.all(tried)).flat();
    },
  };
}

const probeOf = ({ port, protocol, isExpected, family = 'IPv4' }: Attempt, to: LabHost): Probe => ({
  host: family === 'IPv4' ? to.ipv4 : to.ipv6,
  port,
  protocol,
  timeoutMs: isExpected ? patienceMs : silenceMs,
});

const attemptText = ({ from, to, port, protocol, isExpected }: Attempt): string =>
  `${from} ${isExpected ? 'cannot reach' : 'reaches'} ${to} on ${port}/${protocol}`;

/** A shell script that creates namespaces, links and routes. */
function wiring(hosts: readonly LabHost[], namespaceOf: (name: string) => string): string {
  const node = namespaceOf(nodeHost);
  const lines = hosts.map(
    ({ name }) => `ip netns add ${namespaceOf(name)}; ip -n ${namespaceOf(name)} link set lo up`,
  );
  for (const file of ['ipv4/ip_forward', 'ipv6/conf/all/forwarding'])
    lines.push(`ip netns exec ${node} sh -c 'echo 1 > /proc/sys/net/${file}'`);
  for (const [index, { name, ipv4, ipv6 }] of hosts.entries()) {
    if (name === nodeHost) {
      lines.push(
        `ip -n ${node} address add ${ipv4}/32 dev lo`,
        `ip -n ${node} address add ${ipv6}/128 dev lo nodad`,
      );
      continue;
    }
    const own = namespaceOf(name);
    const link = `veth${index}`;
    lines.push(
      `ip -n ${node} link add ${link} type veth peer name eth0 netns ${own}`,
      `ip -n ${node} address add 10.99.255.1/32 dev ${link}`,
      `ip -n ${node} address add fe80::1/64 dev ${link} nodad`,
      `ip -n ${node} link set ${link} up`,
      `ip -n ${own} address add ${ipv4}/32 dev eth0`,
      `ip -n ${own} address add ${ipv6}/128 dev eth0 nodad`,
      `ip -n ${own} link set eth0 up`,
      `ip -n ${own} route add 10.99.255.1 dev eth0 scope link`,
      `ip -n ${own} route add default via 10.99.255.1 dev eth0`,
      `ip -n ${own} -6 route add default via fe80::1 dev eth0`,
      `ip -n ${node} route add ${ipv4}/32 dev ${link}`,
      `ip -n ${node} -6 route add ${ipv6}/128 dev ${link}`,
    );
  }
  return lines.join('\n');
}

class Agent {
  readonly ready: Promise<void>;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: ProbeAnswer) => void>();
  #id = 0;

  constructor(namespace: string, ports: readonly number[]) {
    const program = path.join(import.meta.dirname, 'lab-agent.ts');
    const args = ['netns', 'exec', namespace, process.execPath, program, ...ports.map(String)];
    this.#process = spawn('ip', args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const first = this.#answer(this.#id);
    this.#process.on('message', (answer: ProbeAnswer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    const ended = once(this.#process, 'exit').then(([code]) => {
      throw new Error(`the agent of ${namespace} ended with ${code}`);
    });
    ended.catch(() => {});
    this.ready = Promise.race([first.then(() => undefined), ended]);
  }

  async probe(probes: readonly Probe[]): Promise<readonly boolean[]> {
    const id = ++this.#id;
    const answer = this.#answer(id);
    this.#process.send({ id, probes } satisfies ProbeRequest);
    return (await answer).reached;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  #answer(id: number): Promise<ProbeAnswer> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}
