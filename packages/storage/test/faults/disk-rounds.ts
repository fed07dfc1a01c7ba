/** Runs clients on a disk with one fault after the other, and checks what they were told. */
import { join } from 'node:path';
import { checkAcknowledged, noteAcknowledged, type Acknowledged } from '../crash/acknowledged.ts';
import { isAcknowledged, startClients, until, type Clients } from './running-clients.ts';
import type { DiskFault, FaultyDisk } from './faulty-disk.ts';

export interface DiskRound {
  readonly fault: DiskFault;
  readonly acknowledged: number;
  readonly refused: number;
  readonly refusals: readonly string[];
  /** The longest read during the fault. */
  readonly readMsMax: number;
  /** The problems of the tables that health reported. */
  readonly problems: readonly string[];
  /** lmdb-js may crash when a page can't be written (see `disk-probe.ts`); the next start has everything. */
  readonly hasDied: boolean;
  /** The times from the end of the fault to the first acknowledged write, and to good health. */
  readonly recoveryMs: number;
  readonly healthyMs: number;
}

/** Faults that prevent all writes: they last until one was refused, however slow the machine is. */
const refusing: ReadonlySet<DiskFault> = new Set(['log-error', 'read-only']);
/** The delay of each write on a slow disk. */
const delayMs = 20;

const isRefused = (line: string): boolean => line.startsWith('! ');
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/**
 * One process for all `faults`, without a restart except after {@link DiskRound.hasDied}. It is killed at the end, with
 * the last fault still active; everything acknowledged must be there.
 * @throws Error when something is lost or wrong, or the store doesn't recover from a fault
 */
export async function diskRounds(
  disk: FaultyDisk,
  faults: readonly DiskFault[],
  faultMs: number,
): Promise<readonly DiskRound[]> {
  const directory = join(disk.directory, 'data');
  const acknowledged: Acknowledged = new Map();
  const rounds: DiskRound[] = [];
  const reported: (readonly string[])[] = [];
  let clients = await startClients(directory, disk.environment);
  for (const fault of faults) {
    const round = await oneRound(disk, clients, fault, faultMs);
    rounds.push(round);
    if (!round.hasDied) continue;
    reported.push(clients.lines);
    clients = await startClients(directory, disk.environment);
  }
  disk.set(faults.at(-1)!, delayMs);
  await pause(100);
  clients.kill();
  await clients.ended;
  disk.set('well');
  const lines = [...reported, clients.lines].flat();
  const wrong = lines.filter((line) => line.startsWith('WRONG'));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  noteAcknowledged(lines.filter(isAcknowledged), acknowledged);
  await checkAcknowledged(directory, acknowledged);
  return rounds;
}

async function oneRound(
  disk: FaultyDisk,
  clients: Clients,
  fault: DiskFault,
  faultMs: number,
): Promise<DiskRound> {
  const from = clients.lines.length;
  disk.set(fault, delayMs);
  const refused = until(() => clients.lines.slice(from).some(isRefused));
  const lasts = Promise.all([pause(faultMs), refusing.has(fault) ? refused : undefined]);
  refused.catch(() => undefined);
  await Promise.race([lasts, clients.ended]);
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
  const refusals = during.filter(isRefused).map((line) => line.slice(2));
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
