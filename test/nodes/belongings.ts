/**
 * What a run of tests has put on this machine beyond its processes. It is written down, so that the next run takes away
 * what is left of one that was killed, and nothing of those that go on beside it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export class Belongings {
  readonly #directory: string;

  /** @param kind `namespaces`; a directory of that name holds a file for each */
  constructor(kind: string) {
    this.#directory = path.join(tmpdir(), 'coxswain-test-belongings', kind);
  }

  /** @param detail what it takes to remove the thing, beside its name */
  add(name: string, detail = ''): void {
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(path.join(this.#directory, name), JSON.stringify({ owner: lifeOf(process.pid), detail }));
  }

  delete(name: string): void {
    rmSync(path.join(this.#directory, name), { force: true });
  }

  /** Things whose owner has ended, each told to one caller only, who removes it: name and detail. */
  takeAbandoned(): readonly (readonly [string, string])[] {
    mkdirSync(this.#directory, { recursive: true });
    return readdirSync(this.#directory).flatMap((name) => {
      const file = path.join(this.#directory, name);
      const taken = `${file}${takenSuffix}`;
      try {
        const { owner, detail } = JSON.parse(readFileSync(file, 'utf8')) as { owner: Life; detail: string };
        if (name.endsWith(takenSuffix) || lifeOf(owner.pid)?.startTicks === owner.startTicks) return [];
        renameSync(file, taken);
        rmSync(taken);
        return [[name, detail] as const];
      } catch {
        // Somebody else was faster, or is writing it.
        return [];
      }
    });
  }
}

const takenSuffix = '.taken';

/** A process, which is told from a later one with the same number by when it began. */
interface Life {
  readonly pid: number;
  readonly startTicks: string;
}

function lifeOf(pid: number): Life | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets, which may have spaces; the beginning is the 22nd.
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return { pid, startTicks };
  } catch {
    return undefined;
  }
}
