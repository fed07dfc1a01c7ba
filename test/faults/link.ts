/**
 * Two machines and the network between them: network namespaces, in one of which API servers run, and in the other an etcd.
 * This process reaches both by other ways, which no fault concerns. Needs root, and Linux with nftables.
 */
import { execFileSync } from 'node:child_process';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Place } from '../one-etcd/servers.ts';
import { inNamespaces, uniqueName } from '../nodes/namespaces.ts';
import type { Line, LineState } from './line.ts';

export interface Link {
  /** Where the API servers run. */
  readonly near: Place;
  /** Where the etcd runs. */
  readonly far: Place;
  /** The way from the one to the other. */
  lineTo(port: number): Line;
  remove(): void;
}

/** Seen by the two machines only, so that all runs may use them. */
const farAddress = '192.0.2.2';
const nearAddress = '192.0.2.1';

const filters = 'add table inet fault; flush table inet fault; ';
const chain = (hook: string, rule: string): string =>
  `add chain inet fault ${hook} { type filter hook ${hook} priority 0; }; add rule inet fault ${hook} ${rule}; `;

/** By state: what the filters of the near machine do to what goes over the link, and whether it is up. */
const states: Readonly<Partial<Record<LineState, { readonly rules: string; readonly isUp: boolean }>>> = {
  well: { rules: '', isUp: true },
  cut: {
    rules: chain('input', 'iifname between drop') + chain('output', 'oifname between drop'),
    isUp: true,
  },
  'half-open': { rules: chain('input', 'iifname between drop'), isUp: true },
  refused: {
    rules: chain('output', 'oifname between meta l4proto tcp reject with tcp reset'),
    isUp: true,
  },
  unplugged: { rules: '', isUp: false },
};

/** @returns the reason where there can be none */
export function layLink(): Link | string {
  if (process.platform !== 'linux') return 'there is no Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const id = uniqueName();
  const [near, far] = [`${id}-near`, `${id}-far`];
  const remove = (): void => {
    for (const name of [near, far]) {
      attempt(() => ip('link', 'delete', deviceOf(name)));
      attempt(() => ip('netns', 'delete', name));
    }
  };
  try {
    for (const name of [near, far]) {
      ip('netns', 'add', name);
      ip('-n', name, 'link', 'set', 'lo', 'up');
    }
    ip('-n', near, 'link', 'add', 'between', 'type', 'veth', 'peer', 'name', 'between', 'netns', far);
    for (const [name, address] of [
      [near, nearAddress],
      [far, farAddress],
    ] as const) {
      ip('-n', name, 'address', 'add', `${address}/30`, 'dev', 'between');
      ip('-n', name, 'link', 'set', 'between', 'up');
    }
    execFileSync('nsenter', [...inNamespaces(near).slice(1), 'nft', filters], { stdio: 'pipe' });
    const places = [near, far].map((name, index) => reachable(name, index));
    return { near: places[0]!, far: places[1]!, lineTo: (port) => lineOver(near, port), remove };
  } catch (failure) {
    remove();
    return messageOf(failure);
  }
}

const ip = (...args: readonly string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' });

/** A way from this process to a machine; gone with the machine. */
function reachable(name: string, index: number): Place {
  // Of the range for measurements between networks; by the process, so that runs at the same time don't meet.
  const network = `198.18.${(process.pid >> 5) & 0xff}`;
  const [own, address] = [1, 2].map((host) => `${network}.${((process.pid & 31) * 2 + index) * 4 + host}`);
  const device = deviceOf(name);
  ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'tester', 'netns', name);
  ip('address', 'add', `${own}/30`, 'dev', device);
  ip('link', 'set', device, 'up');
  ip('-n', name, 'address', 'add', `${address}/30`, 'dev', 'tester');
  ip('-n', name, 'link', 'set', 'tester', 'up');
  return { enter: inNamespaces(name), address: address!, env: {} };
}

function lineOver(near: string, port: number): Line {
  const inNear = (program: string, ...args: readonly string[]): void =>
    void execFileSync('nsenter', [...inNamespaces(near).slice(1), program, ...args], { stdio: 'pipe' });
  return {
    url: `http://${farAddress}:${port}`,
    set(state) {
      const wanted = states[state];
      if (wanted === undefined) throw new Error(`a link can't be ${state}`);
      inNear('nft', filters + wanted.rules);
      ip('-n', near, 'link', 'set', 'between', wanted.isUp ? 'up' : 'down');
    },
    close: async () => undefined,
  };
}

/** This process's end of its way to a machine. */
const deviceOf = (name: string): string => name.replaceAll('-', '');

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // It was never made.
  }
}
