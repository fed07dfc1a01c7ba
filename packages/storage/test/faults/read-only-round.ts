/**
 * Clients whose file system becomes read-only while they run. Linux refuses an administrator's remount while a store
 * has its files open for writing; in practice the kernel does it on an error. Then no process can write there, whatever
 * is repaired, until the file system is mounted anew: the store refuses writes and remains readable, and a new process
 * on the new mount has everything.
 */
import { join } from 'node:path';
import { checkAcknowledged, noteAcknowledged, type Acknowledged } from '../crash/acknowledged.ts';
import type { FailingFileSystem } from './failing-file-system.ts';
import { isAcknowledged, startClients, until } from './running-clients.ts';

export interface ReadOnlyRound {
  /** The error for an administrator who remounts it read-only while the store is open. */
  readonly wish: string;
  readonly refused: number;
  readonly refusals: readonly string[];
  readonly readMsMax: number;
  /**
   * Whether LMDB crashed on the error: then nothing is known of reads, but what was acknowledged must be there
   * nevertheless.
   */
  readonly hasDied: boolean;
  readonly problems: readonly string[];
}

/**
 * @throws Error when something acknowledged is lost, a read was wrong or not answered, or an impossible write accepted
 */
export async function readOnlyRound(fileSystem: FailingFileSystem, faultMs: number): Promise<ReadOnlyRound> {
  const directory = join(fileSystem.directory, 'data');
  const acknowledged: Acknowledged = new Map();
  const clients = await startClients(directory);
  const wish = wished(fileSystem);
  const atWish = clients.lines.length;
  await until(() => clients.lines.slice(atWish).some(isAcknowledged));
  fileSystem.fail();
  const refused = until(() => clients.lines.some((line) => line.startsWith('! ')));
  await Promise.race([refused, clients.ended]);
  const from = clients.lines.length;
  await pause(faultMs);
  // However busy the machine is, reads must be answered; their durations are reported.
  const read = until(() => clients.lines.slice(from).some(isRead));
  await Promise.race([read, clients.ended]);
  const during = clients.lines.slice(from);
  clients.kill();
  const hasDied = (await clients.ended) === 'died';
  const wrong = clients.lines.filter((line) => line.startsWith('WRONG'));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const reads = during.filter(isRead).map((line) => Number(line.slice(2)));
  fileSystem.mountAnew();
  noteAcknowledged(clients.lines.filter(isAcknowledged), acknowledged);
  await checkAcknowledged(directory, acknowledged);
  const again = await startClients(directory);
  again.kill();
  await again.ended;
  const refusals = during.filter((line) => line.startsWith('! ')).map((line) => line.slice(2));
  return {
    wish,
    refused: refusals.length,
    refusals: [...new Set(refusals)],
    readMsMax: Math.max(0, ...reads),
    hasDied,
    problems: [...new Set(during.filter((line) => line.startsWith('~ ') && line.length > 2))],
  };
}

const isRead = (line: string): boolean => line.startsWith('? ');

function wished(fileSystem: FailingFileSystem): string {
  try {
    fileSystem.makeReadOnly();
  } catch (failure) {
    return (failure as { readonly stderr: string }).stderr.split('\n')[0]!;
  }
  throw new Error('it became read-only with files that are open for writing');
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
