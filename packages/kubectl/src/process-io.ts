/** kubectl's environment: its own process, or a part of another program's. */
import { fstatSync, writeSync } from 'node:fs';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import type { KubectlIo, Terminal } from './io.ts';

export function processIo(): KubectlIo {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const listener = interruptListeners.at(-1);
      if (listener !== undefined) return listener();
      stop.abort(new Error(signal));
      // Everything still running has had its chance.
      process.exit(signal === 'SIGINT' ? 130 : 143);
    });
  }
  return {
    ...processStreams(),
    env: process.env,
    clock: systemClock,
    random: systemRandom,
    signal: stop.signal,
  };
}

/** What a program shares with the kubectl inside it; signals are not shared. */
export function processStreams(): Omit<KubectlIo, 'env' | 'clock' | 'random' | 'signal'> {
  return {
    out: { write: (text) => writeAll(1, text) },
    err: { write: (text) => writeAll(2, text) },
    stdin: readStdin,
    openStdin: () => ({ chunks: process.stdin, close: () => process.stdin.destroy() }),
    onInterrupt,
    ...(isTerminal(0) ? { terminal: processTerminal() } : {}),
    workingDirectory: process.cwd(),
    stdinIsTerminal: isTerminal(0),
    ...(isTerminal(1) ? { columns: process.stdout.columns, rows: process.stdout.rows } : {}),
    ...(isTerminal(2) ? { errColumns: process.stderr.columns } : {}),
    spawn: runProgram,
  };
}

/** Checks without creating the process's streams, which takes longer. */
function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
    return process.getBuiltinModule('node:tty').isatty(descriptor);
  } catch {
    return false;
  }
}

const interruptListeners: (() => void)[] = [];

function onInterrupt(listener: () => void): () => void {
  interruptListeners.push(listener);
  return () => void interruptListeners.splice(interruptListeners.indexOf(listener), 1);
}

function processTerminal(): Terminal {
  const { stdin, stdout } = process;
  return {
    size: () => ({ width: stdout.columns ?? 80, height: stdout.rows ?? 24 }),
    onResize(listener) {
      process.on('SIGWINCH', listener);
      return () => void process.off('SIGWINCH', listener);
    },
    setRaw: (isRaw) => void stdin.setRawMode(isRaw),
  };
}

/** Writes synchronously, so that nothing is lost at exit; a slow or closed reader is not an error of ours. */
function writeAll(descriptor: number, text: string | Uint8Array): void {
  let rest = typeof text === 'string' ? Buffer.from(text) : text;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (failure) {
      const { code } = failure as { code?: string };
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw failure;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

let standardInput: Promise<string> | undefined;

function readStdin(): Promise<string> {
  standardInput ??= (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  })();
  return standardInput;
}

const runProgram: NonNullable<KubectlIo['spawn']> = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = process.getBuiltinModule('node:child_process').spawn(command, args, {
      stdio: ['inherit', options.out === undefined ? 'inherit' : 'pipe', 'inherit'],
      env: { ...process.env, ...options.env },
    });
    child.stdout?.on('data', (chunk: Buffer) => options.out?.write(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
