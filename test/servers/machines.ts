/**
 * Machines of a control plane and the network between them: network namespaces on one bridge, each of which can be cut
 * off from the others. This process reaches them by other ways, which no fault concerns. Needs root, and Linux with nftables.
 */
import { execFileSync } from 'node:child_process';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Place } from '../one-etcd/servers.ts';
import { addNamespaces, inNamespaces, removeNamespaces, uniqueName } from '../nodes/namespaces.ts';

/** What may happen to the way between a machine and the others. */
export const cuts = {
  /** Nothing goes either way, and nobody is told. */
  cut: ['input iifname between drop', 'output oifname between drop'],
  /** What it sends arrives, and nothing comes back. */
  'half-open': ['input iifname between drop'],
  /** Connections break. */
  refused: [
    'output oifname between meta l4proto tcp reject with tcp reset',
    'input iifname between meta l4proto tcp reject with tcp reset',
  ],
} as const;
export type Cut = keyof typeof cuts;

export interface Machine {
  /** By which the others reach it. */
  readonly address: string;
  /** Where programs on it run, and how this process reaches them. */
  readonly place: Place;
  cut(how: Cut): void;
  mend(): void;
}

export interface Machines {
  readonly machines: readonly Machine[];
  remove(): void;
}

/** @returns the reason where there can be none */
export function layMachines(count: number): Machines | string {
  if (process.platform !== 'linux') return 'there is no Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const id = uniqueName();
  const hub = `${id}-hub`;
  const names = Array.from({ length: count }, (_, index) => `${id}-${index}`);
  const remove = (): void => {
    for (const name of names) attempt(() => ip('link', 'delete', deviceOf(name)));
    for (const name of [...names, hub]) removeNamespaces(name);
  };
  try {
    addNamespaces(hub);
    ip('-n', hub, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('-n', hub, 'link', 'set', 'bridge', 'up');
    return { machines: names.map((name, index) => added(name, index, hub)), remove };
  } catch (failure) {
    remove();
    return messageOf(failure);
  }
}

function added(name: string, index: number, hub: string): Machine {
  const address = `192.0.2.${index + 1}`;
  addNamespaces(name, `machine-${index}`);
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'link', 'add', 'between', 'type', 'veth', 'peer', 'name', `to-${index}`, 'netns', hub);
  ip('-n', hub, 'link', 'set', `to-${index}`, 'master', 'bridge', 'up');
  ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'between');
  ip('-n', name, 'link', 'set', 'between', 'up');
  ip('-n', name, 'route', 'add', 'default', 'via', address);
  const inside = inNamespaces(name);
  const filter = (rules: readonly string[]): void =>
    void execFileSync(inside[0]!, [...inside.slice(1), 'nft', table(rules)], { stdio: 'pipe' });
  filter([]);
  return {
    address,
    place: { enter: inside, address: reachable(name, index), env: {} },
    cut: (how) => filter(cuts[how]),
    mend: () => filter([]),
  };
}

const table = (rules: readonly string[]): string =>
  ['add table inet fault', 'flush table inet fault', ...rules.flatMap(chained)].join('; ');

function chained(rule: string): readonly string[] {
  const [hook, ...rest] = rule.split(' ');
  const chain = `add chain inet fault ${hook} { type filter hook ${hook} priority 0; }`;
  return [chain, `add rule inet fault ${hook} ${rest.join(' ')}`];
}

/** A way from this process to a machine; gone with the machine. */
function reachable(name: string, index: number): string {
  // Of the range for measurements between networks; by the process, so that runs at the same time don't meet.
  const network = `198.19.${(process.pid >> 3) & 0xff}`;
  const [own, address] = [1, 2].map((host) => `${network}.${((process.pid & 7) * 8 + index) * 4 + host}`);
  const device = deviceOf(name);
  ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'tester', 'netns', name);
  ip('address', 'add', `${own}/30`, 'dev', device);
  ip('link', 'set', device, 'up');
  ip('-n', name, 'address', 'add', `${address}/30`, 'dev', 'tester');
  ip('-n', name, 'link', 'set', 'tester', 'up');
  return address!;
}

/** This process's end of its way to a machine. */
const deviceOf = (name: string): string => name.replaceAll('-', '');

const ip = (...args: readonly string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' });

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // It was never made.
  }
}
