/** Runs clients on a disk that gets one fault after the other, and looks what they were told. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkAcknowledged, noteAcknowledged } from '../crash/acknowledged.ts';
import type { Acknowledged } from '../crash/acknowledged.ts';
import type { DiskFault, FaultyDisk } from './faulty-disk.ts';

export interface DiskRound {
  readonly fault: DiskFault;
  readonly acknowledged: number;
  readonly refused: number;
  readonly refusals: readonly string[];
  /** The longest that readers waited during the fault. */
  readonly readMsMax: number;
  /** What health said of the tables. */
  readonly problems: readonly string[];
  /** lmdb-js may end the process when a page can't be written (see `disk-probe.ts`); the next start has everything. */
  readonly hasDied: boolean;
  /** From the end of the fault to the first write that was acknowledged, and until health was good. */
  readonly recoveryMs: number;
  readonly healthyMs: number;
}

const recoveryMsMax = 40_000;
/** Of each write to a disk that is slow. */
const delayMs = 20;
/** What the C library says of the buffer. */
const overrun = /malloc|corrupted|free\(\)|double-linked/;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/**
 * One process for all `faults`, which has to do without a restart, but see {@link DiskRound.hasDied}. It is killed at
 * the end, with the last fault on its disk; all that it acknowledged must be there.
 * @throws Error when something is lost or wrong, or a fault is not recovered from
 */
export async function diskRounds(
  disk: FaultyDisk,
  faults: readonly DiskFault[],
  faultMs: number,
): Promise<readonly DiskRound[]> {
  const directory = join(disk.folder, 'data');
  const acknowledged: Acknowledged = new Map();
  const rounds: DiskRound[] = [];
  const told: (readonly string[])[] = [];
  let clients = await startClients(disk, directory);
  for (const fault of faults) {
    const round = await oneRound(disk, clients, fault, faultMs);
    rounds.push(round);
    if (!round.hasDied) continue;
    told.push(clients.lines);
    clients = await startClients(disk, directory);
  }
  disk.set(faults.at(-1)!, delayMs);
  await pause(100);
  clients.kill();
  await clients.ended;
  disk.set('well');
  const lines = [...told, clients.lines].flat();
  const wrong = lines.filter((line) => line.startsWith('WRONG'));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  noteAcknowledged(lines.filter(isAcknowledged), acknowledged);
  await checkAcknowledged(directory, acknowledged);
  return rounds;
}

const isAcknowledged = (line: string): boolean => line.startsWith('/');

interface Clients {
  readonly lines: readonly string[];
  /** Rejects when they ended for another reason than that they were killed, or died of what they may die of. */
  readonly ended: Promise<'killed' | 'died'>;
  kill(): void;
}

async function startClients(disk: FaultyDisk, directory: string): Promise<Clients> {
  const program = join(import.meta.dirname, 'clients.ts');
  const child = spawn(process.execPath, [program, directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...disk.environment },
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

async function oneRound(
  disk: FaultyDisk,
  clients: Clients,
  fault: DiskFault,
  faultMs: number,
): Promise<DiskRound> {
  const from = clients.lines.length;
  disk.set(fault, delayMs);
  await Promise.race([pause(faultMs), clients.ended]);
  const during = clients.lines.slice(from);
  disk.set('well');
  const startMs = performance.now();
  const end = clients.lines.length;
  const first = until(() => clients.lines.slice(end).some(isAcknowledged)).then(() => undefined);
  const died = await Promise.race([first, clients.ended]);
  const recoveryMs = performance.now() - startMs;
  const health = (): string | undefined => clients.lines.findLast((line) => line.startsWith('~'));
  const healthy = until(() => (health() ?? '~ ') === '~ ').then(() => undefined);
  const diedLater = await Promise.race([healthy, clients.ended]);
  const refusals = during.filter((line) => line.startsWith('! ')).map((line) => line.slice(2));
  const reads = clients.lines.slice(from).filter((line) => line.startsWith('? '));
  return {
    fault,
    acknowledged: during.filter(isAcknowledged).length,
    refused: refusals.length,
    refusals: [...new Set(refusals)],
    readMsMax: Math.max(0, ...reads.map((line) => Number(line.slice(2)))),
    problems: [
      ...new Set(clients.lines.slice(from).filter((line) => line.startsWith('~ ') && line.length > 2)),
    ],
    hasDied: (died ?? diedLater) !== undefined,
    recoveryMs: Math.round(recoveryMs),
    healthyMs: Math.round(performance.now() - startMs),
  };
}

async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + recoveryMsMax;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`no recovery within ${recoveryMsMax} ms`);
    await pause(10);
  }
}
