/** `clients.ts` as a process that may be killed. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const recoveryMsMax = 40_000;
/** The C library's messages about the buffer overflow. */
const overrun = /malloc|corrupted|free\(\)|double-linked/;

export const isAcknowledged = (line: string): boolean => line.startsWith('/');

export interface Clients {
  readonly lines: readonly string[];
  /** Rejects when the process ended for any reason but a kill or the known crash. */
  readonly ended: Promise<'killed' | 'died'>;
  kill(): void;
}

/** Resolves when it has reported some writes. */
export async function startClients(
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Clients> {
  const program = join(import.meta.dirname, 'clients.ts');
  const child = spawn(process.execPath, [program, directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const lines: string[] = [];
  let [rest, complaints, isKilled] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const whole = (rest + chunk).split('\n');
    rest = whole.pop()!;
    lines.push(...whole);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
  const ended = new Promise<'killed' | 'died'>((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (isKilled) resolve('killed');
      else if (signal === 'SIGSEGV' || (signal === 'SIGABRT' && overrun.test(complaints))) resolve('died');
      else reject(new Error(`the clients ended with ${code ?? signal}: ${complaints}`));
    });
  });
  ended.catch(() => undefined);
  const kill = (): void => {
    isKilled = true;
    child.kill('SIGKILL');
  };
  const clients = { lines, ended, kill };
  await Promise.race([until(() => lines.length > 200), ended]);
  return clients;
}

/** @throws Error when it takes too long */
export async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + recoveryMsMax;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`no recovery within ${recoveryMsMax} ms`);
    await pause(10);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
