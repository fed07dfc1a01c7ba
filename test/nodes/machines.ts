/** Machines for tests: network namespaces on one link, in which programs run as on hosts of their own. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  addNamespaces,
  inNamespaces,
  removeAbandonedNamespaces,
  removeNamespaces,
  uniqueName,
} from './namespaces.ts';

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** Of its network, and of its name. */
  readonly namespace: string;
  /** Runs a program to its end. @throws Error where it fails */
  run(...command: readonly string[]): string;
  /** The same without waiting, with more variables. */
  runFreely(env: Readonly<Record<string, string>>, ...command: readonly string[]): Promise<string>;
  /** A program, until it is stopped. */
  start(...command: readonly string[]): RunningProgram;
  /** `coxswain …`, until it is stopped. */
  coxswain(...args: readonly string[]): RunningProgram;
  /** As when the cable is pulled, and put back. */
  plug(isIn: boolean): void;
}

export interface RunningProgram {
  readonly pid: number;
  readonly said: () => string;
  /** Resolves with all that it has said. @throws Error when it ends before, or says nothing like it in time */
  saying(text: string | RegExp): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<unknown>;
}

export interface Machines {
  readonly all: readonly Machine[];
  stop(): Promise<void>;
}

const runFile = promisify(execFile);
export const coxswainProgram = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
const patienceMs = 60_000;
const lookEveryMs = 50;
/** Of a program that runs to its end: test programs say much. */
const saidBytesMax = 256 * 1024 * 1024;

/** Each is called by its name in its own eyes, too. */
export function startMachines(names: readonly string[]): Machines {
  removeAbandonedNamespaces();
  const id = uniqueName();
  const switchName = `${id}-switch`;
  const ip = (...args: readonly string[]): string => execFileSync('ip', args, { encoding: 'utf8' });
  addNamespaces(switchName);
  ip('-n', switchName, 'link', 'add', 'br0', 'type', 'bridge');
  ip('-n', switchName, 'link', 'set', 'br0', 'up');
  const running: RunningProgram[] = [];
  const all = names.map((name, index): Machine => {
    const namespace = `${id}-${name}`;
    const address = `172.31.77.${index + 10}`;
    const port = `port${index}`;
    addNamespaces(namespace, name);
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    ip('-n', switchName, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('-n', switchName, 'link', 'set', port, 'master', 'br0', 'up');
    ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', namespace, 'link', 'set', 'eth0', 'up');
    ip('-n', namespace, 'route', 'add', 'default', 'via', '172.31.77.1');
    const [enter = '', ...entering] = inNamespaces(namespace);
    return {
      name,
      address,
      namespace,
      run: (...command) => execFileSync(enter, [...entering, ...command], { encoding: 'utf8' }),
      runFreely: async (env, ...command) => {
        const options = {
          encoding: 'utf8',
          maxBuffer: saidBytesMax,
          env: { ...process.env, ...env },
        } as const;
        return (await runFile(enter, [...entering, ...command], options)).stdout;
      },
      start(...command) {
        const started = startProgram(enter, [...entering, ...command]);
        running.push(started);
        return started;
      },
      coxswain(...args) {
        return this.start(process.execPath, coxswainProgram, ...args);
      },
      plug: (isIn) => void ip('-n', switchName, 'link', 'set', port, isIn ? 'up' : 'down'),
    };
  });
  return {
    all,
    async stop() {
      await Promise.all(running.map((each) => each.stop()));
      for (const namespace of [...all.map((machine) => machine.namespace), switchName])
        removeNamespaces(namespace);
    },
  };
}

function startProgram(command: string, args: readonly string[]): RunningProgram {
  const child = spawn(command, args, {
    env: { ...process.env, COXSWAIN_FROM_SOURCE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    // Who enters a namespace of networks becomes the program.
    pid: child.pid ?? 0,
    said: () => said,
    ended,
    async saying(text) {
      const endMs = performance.now() + patienceMs;
      while (typeof text === 'string' ? !said.includes(text) : !text.test(said)) {
        if (hasEnded() || performance.now() > endMs)
          throw new Error(`it never says ${String(text)}:\n${said}`);
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
      return said;
    },
    async stop(signal = 'SIGTERM') {
      if (!hasEnded()) child.kill(signal);
      await ended;
    },
  };
}
