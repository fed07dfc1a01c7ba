/**
 * A node with two pods on a bridge and a client outside, each in a network namespace of its own. The namespaces
 * belong to processes, so that nothing is left when the test process dies.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from '@coxswain/nftables';

export const addresses = {
  node: '192.0.2.1',
  client: '192.0.2.2',
  node6: '2001:db8::1',
  client6: '2001:db8::2',
  podA: '10.244.0.2',
  podB: '10.244.0.3',
  podA6: 'fd00:244::2',
  podB6: 'fd00:244::3',
} as const;
export const podPort = 8080;

export interface Question {
  readonly host: string;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP';
  readonly count?: number;
  readonly timeoutMs?: number;
  readonly localPort?: number;
}

export interface Reply {
  readonly pod?: string;
  readonly client?: string;
  readonly error?: string;
}

export type Place = 'node' | 'client' | 'podA' | 'podB';

/** Why packets can't be sent through real rules here; undefined when they can. */
export function whyNoNetwork(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const missing = ['nft', 'ip', 'conntrack', 'nsenter', 'unshare'].filter(
    (program) => spawnSync('which', [program]).status !== 0,
  );
  if (missing.length > 0) return `needs ${missing.join(', ')}`;
  const tried = spawnSync('unshare', [
    '-n',
    'nft',
    'add table ip t; add chain ip t c { type nat hook output priority 0; }',
  ]);
  return tried.status === 0 ? undefined : 'needs network namespaces with nftables';
}

const here = import.meta.dirname;
/** Long, for slow machines: who expects silence asks for less. */
const timeoutDefaultMs = 10_000;

export class NodeNetwork {
  readonly #processes: ChildProcess[] = [];
  readonly #pids = new Map<Place, number>();
  readonly #clients = new Map<Place, Client>();

  static async start(): Promise<NodeNetwork> {
    const network = new NodeNetwork();
    for (const place of ['node', 'client', 'podA', 'podB'] as const) await network.#namespace(place);
    await network.#connect();
    await Promise.all([network.#pod('podA'), network.#pod('podB')]);
    return network;
  }

  /** Runs a program in a namespace: its output. @throws Error with what it complained of */
  run = (place: Place, args: readonly string[], input = ''): Promise<string> =>
    runCommand('nsenter', ['-t', String(this.#pids.get(place)), '-n', ...args], input);

  /** For a writer that runs outside: `nft` within the node. */
  nft = (args: readonly string[], input: string): Promise<string> =>
    this.run('node', ['nft', ...args], input);

  conntrack = (args: readonly string[]): Promise<string> => this.run('node', ['conntrack', ...args]);

  /** Starts a program in a namespace; it ends with the network. */
  spawn(place: Place, args: readonly string[]): ChildProcess {
    const child = spawn('nsenter', ['-t', String(this.#pids.get(place)), '-n', ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#processes.push(child);
    return child;
  }

  /** Sends requests one after another. */
  ask(place: Place, question: Question): Promise<readonly Reply[]> {
    let client = this.#clients.get(place);
    if (client === undefined) {
      client = new Client(this.spawn(place, [process.execPath, path.join(here, 'probe.mjs')]));
      this.#clients.set(place, client);
    }
    return client.ask({ protocol: 'TCP', count: 1, timeoutMs: timeoutDefaultMs, ...question });
  }

  /** Another client in the same place, for requests at the same time. */
  secondClient(place: Place): Client {
    return new Client(this.spawn(place, [process.execPath, path.join(here, 'probe.mjs')]));
  }

  stop(): void {
    for (const child of this.#processes.reverse()) child.kill('SIGKILL');
  }

  async #namespace(place: Place): Promise<void> {
    // It ends when its input does, with this process, however that ends.
    const child = spawn('unshare', ['-n', 'cat'], { stdio: ['pipe', 'ignore', 'ignore'] });
    this.#processes.push(child);
    const own = readlinkSync('/proc/self/ns/net');
    const of = `/proc/${child.pid}/ns/net`;
    while (existsSync(of) && readlinkSync(of) === own) await new Promise((resolve) => setTimeout(resolve, 2));
    this.#pids.set(place, child.pid!);
    await this.run(place, ['ip', 'link', 'set', 'lo', 'up']);
  }

  async #connect(): Promise<void> {
    const commands = (place: Place, lines: readonly string[]) =>
      this.run(place, ['ip', '-batch', '-'], lines.map((line) => `${line}\n`).join(''));
    const pid = (place: Place) => this.#pids.get(place);
    await this.run('node', [
      'sh',
      '-c',
      'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding; echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad',
    ]);
    await commands('node', [
      'link add cni0 type bridge',
      'addr add 10.244.0.1/24 dev cni0',
      'addr add fd00:244::1/64 dev cni0 nodad',
      'link set cni0 up',
      `link add outside type veth peer name eth0 netns ${pid('client')}`,
      `addr add ${addresses.node}/24 dev outside`,
      `addr add ${addresses.node6}/64 dev outside nodad`,
      'link set outside up',
      'link add beyond type bridge',
      'link set beyond up',
      'route add default dev beyond',
      'route add ::/0 dev beyond',
    ]);
    await commands('client', [
      `addr add ${addresses.client}/24 dev eth0`,
      `addr add ${addresses.client6}/64 dev eth0 nodad`,
      'link set eth0 up',
      `route add default via ${addresses.node}`,
      `route add ::/0 via ${addresses.node6}`,
    ]);
    for (const place of ['podA', 'podB'] as const) {
      await commands('node', [
        `link add ${place} type veth peer name eth0 netns ${pid(place)}`,
        `link set ${place} master cni0`,
        `link set ${place} type bridge_slave hairpin on`,
        `link set ${place} up`,
      ]);
      await commands(place, [
        `addr add ${addresses[place]}/24 dev eth0`,
        `addr add ${addresses[`${place}6`]}/64 dev eth0 nodad`,
        'link set eth0 up',
        'route add default via 10.244.0.1',
        'route add ::/0 via fd00:244::1',
      ]);
    }
  }

  async #pod(place: 'podA' | 'podB'): Promise<void> {
    const script = path.join(here, 'echo-server.mjs');
    const child = this.spawn(place, [process.execPath, script, place, String(podPort)]);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
  }
}

export class Client {
  readonly #child: ChildProcess;
  readonly #waiting: ((replies: readonly Reply[]) => void)[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    createInterface({ input: child.stdout! }).on('line', (line) =>
      this.#waiting.shift()?.(JSON.parse(line) as readonly Reply[]),
    );
  }

  ask(question: Question): Promise<readonly Reply[]> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin?.write(
        `${JSON.stringify({ protocol: 'TCP', count: 1, timeoutMs: timeoutDefaultMs, ...question })}\n`,
      );
    });
  }
}
