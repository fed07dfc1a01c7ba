import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface DamageRounds {
  readonly rounds: number;
  readonly seed: number;
  readonly directory: string;
}

export interface DamageOutcome {
  readonly verdicts: Readonly<Record<string, number>>;
  /** Rounds in which damage was not detected, failed in another way, or crashed the process. */
  readonly failures: readonly string[];
}

/** Damages stores at random places and opens them in processes of their own, since LMDB may crash its process. */
export async function damageRounds({ rounds, seed, directory }: DamageRounds): Promise<DamageOutcome> {
  const verdicts: Record<string, number> = {};
  const failures: string[] = [];
  for (let done = 0; done < rounds;) {
    const { lines, rest } = await oneBatch(directory, seed, done, rounds - done);
    for (const line of lines) {
      const [round, what, verdict] = line.split('\t') as [string, string, string];
      const kind = verdict.split(' ')[0]!;
      verdicts[kind] = (verdicts[kind] ?? 0) + 1;
      if (kind === 'WRONG') failures.push(`round ${round}, ${what}: ${verdict}`);
    }
    done += lines.length;
    if (done >= rounds) break;
    failures.push(`round ${done} ended the process: ${rest}`);
    done++;
  }
  return { verdicts, failures };
}

/** Its complete lines, and the rest. */
async function oneBatch(
  directory: string,
  seed: number,
  first: number,
  rounds: number,
): Promise<{ readonly lines: readonly string[]; readonly rest: string }> {
  const args = [directory, seed, first, rounds].map(String);
  const batch = spawn(process.execPath, [join(import.meta.dirname, 'one-batch.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  batch.stdout.on('data', (chunk) => (output += chunk));
  batch.stderr.on('data', (chunk) => (errors += chunk));
  const end = await new Promise((resolve) => batch.on('close', (code, signal) => resolve(signal ?? code)));
  const lines = output.split('\n');
  return { rest: `${lines.pop()} ${String(end)} ${errors.slice(0, 300)}`, lines };
}
