import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { seededRandom } from '@coxswain/apimachinery';
import { checkAcknowledged, noteAcknowledged, type Acknowledged } from './acknowledged.ts';

const lifetimeMsMax = 150;
/** One in this many is killed while it is still opening the store. */
const earlyEvery = 10;
const openMsMax = 200;
/** What the writer says before it writes. */
const readyLine = 'ready\n';

export interface CrashRounds {
  readonly rounds: number;
  readonly seed: number;
  readonly directory: string;
  readonly onRound?: (round: number, acknowledged: number, revision: number) => void;
}

export interface CrashOutcome {
  readonly acknowledged: number;
  readonly revision: number;
  /** The number of rounds with at least one acknowledged write. */
  readonly underLoad: number;
}

/** Kills a writer at random moments and checks each time that everything acknowledged is there. */
export async function crashRounds({ rounds, seed, directory, onRound }: CrashRounds): Promise<CrashOutcome> {
  const random = seededRandom(seed);
  const acknowledged: Acknowledged = new Map();
  let [count, revision, underLoad] = [0, 1, 0];
  for (let round = 1; round <= rounds; round++) {
    const isEarly = round % earlyEvery === 0;
    const lines = await runAndKill(directory, random.next() * (isEarly ? openMsMax : lifetimeMsMax), isEarly);
    noteAcknowledged(lines, acknowledged);
    count += lines.length;
    underLoad += Number(lines.length > 0);
    const now = await checkAcknowledged(directory, acknowledged);
    if (now < revision) throw new Error(`the revision went back from ${revision} to ${now}`);
    revision = now;
    onRound?.(round, lines.length, revision);
    forgetOld(acknowledged);
  }
  return { acknowledged: count, revision, underLoad };
}

/** Keeps the newest write of each key, and everything that may still be in the history. */
function forgetOld(acknowledged: Acknowledged): void {
  const newest = new Map<string, number>();
  for (const [revision, { key }] of acknowledged) newest.set(key, Math.max(revision, newest.get(key) ?? 0));
  const last = Math.max(0, ...acknowledged.keys());
  for (const [revision, { key }] of acknowledged) {
    if (revision < last - 20_000 && newest.get(key) !== revision) acknowledged.delete(revision);
  }
}

/**
 * Returns the lines that the writer printed after its first output. Unless it is killed early, the time starts with the
 * first line, which may take long when others use the disk.
 */
async function runAndKill(directory: string, afterMs: number, isEarly: boolean): Promise<string[]> {
  const writer = spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => void setTimeout(() => writer.kill('SIGKILL'), afterMs);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    if (isEarly) kill();
    writer.stdout.on('data', (chunk) => {
      const wasSilent = !output.includes('\n', readyLine.length);
      output += chunk;
      if (!isEarly && wasSilent && output.includes('\n', readyLine.length)) kill();
    });
    writer.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve();
      else reject(new Error(`the writer ended by itself (${code ?? signal})`));
    });
  });
  return output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(1, -1);
}
