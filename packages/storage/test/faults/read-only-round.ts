/**
 * Clients whose file system becomes read-only under them. Linux refuses an administrator's wish for that while a store has
 * its files open for writing; what happens in practice is that the kernel does it at an error. Then no process can
 * write there again, whatever is repaired, before the file system is mounted anew: the store refuses writes and goes on
 * being read, and a new process on the new mount has everything.
 */
import { join } from 'node:path';
import { checkAcknowledged, noteAcknowledged, type Acknowledged } from '../crash/acknowledged.ts';
import type { FailingFileSystem } from './failing-file-system.ts';
import { isAcknowledged, startClients, until } from './running-clients.ts';

export interface ReadOnlyRound {
  /** What an administrator is told who wants it read-only while the store is open. */
  readonly wish: string;
  readonly refused: number;
  readonly refusals: readonly string[];
  readonly readMsMax: number;
  /** Of what LMDB may die of at an error: then nothing is told of reads, and what was acknowledged must be there all the same. */
  readonly hasDied: boolean;
  readonly problems: readonly string[];
}

/** @throws Error when something acknowledged is lost, a read was wrong or not answered, or a write taken that can't be */
export async function readOnlyRound(fileSystem: FailingFileSystem, faultMs: number): Promise<ReadOnlyRound> {
  const directory = join(fileSystem.folder, 'data');
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
  // However busy the machine is: reads are answered, and how long they took is told.
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
