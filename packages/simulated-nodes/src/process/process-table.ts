/** The processes that a container sees: the main processes of its PID namespace, and what runs beside them. */
import type { User } from './user.ts';

/** The main process of a container. */
export interface MainProcess {
  /** The container, by which its PID is kept. */
  readonly key: object;
  readonly argv: readonly string[];
  readonly uid: number;
  /** Ends the container. */
  readonly end: (exitCode: number) => void;
}

export interface RunningProcess {
  readonly pid: number;
  readonly uid: number;
  readonly argv: readonly string[];
  /** Undefined if the process ignores all signals. */
  readonly end?: ((exitCode: number) => void) | undefined;
}

/** What the table needs to know of a process. */
interface Runnable {
  readonly argv: readonly string[];
  readonly user: User;
  readonly signal: AbortSignal;
}

/** The process that holds the PID namespace of a pod. */
const pause: RunningProcess = { pid: 1, uid: 65_535, argv: ['/pause'] };

/** The maximum number of processes beside the main ones. */
export const processesMax = 1_000;

/** There are too many processes already. */
export class ForkFailure extends Error {}

export class ProcessTable {
  readonly #mains: () => readonly MainProcess[];
  readonly #isShared: boolean;
  readonly #pids = new WeakMap<object, number>();
  readonly #running = new Map<number, RunningProcess>();
  #lastPid: number;

  /** @param isShared whether it is the namespace of a whole pod */
  constructor(mains: () => readonly MainProcess[], isShared: boolean) {
    this.#mains = mains;
    this.#isShared = isShared;
    this.#lastPid = isShared ? pause.pid : 0;
  }

  /** By PID. */
  list(): readonly RunningProcess[] {
    const mains = this.#mains().map(({ key, ...main }) => ({ ...main, pid: this.#pidOf(key) }));
    const all = [...(this.#isShared ? [pause] : []), ...mains, ...this.#running.values()];
    return all.sort((a, b) => a.pid - b.pid);
  }

  /** @throws ForkFailure */
  mayFork(): void {
    if (this.#running.size >= processesMax)
      throw new ForkFailure("can't fork: Resource temporarily unavailable");
  }

  find(pid: number): RunningProcess | undefined {
    return this.list().find((one) => one.pid === pid);
  }

  /**
   * Runs a program as a process of its own, which ends with the program's exit code or by a signal.
   * @throws ForkFailure
   */
  async run<P extends Runnable>(
    process: P,
    program: (process: P & { readonly pid: number }) => Promise<number> | number,
  ): Promise<number> {
    this.mayFork();
    // Main processes come first, even if nobody has listed them yet.
    if (this.#lastPid < 2) this.list();
    const pid = ++this.#lastPid;
    const killed = Promise.withResolvers<number>();
    const stopping = new AbortController();
    const end = (exitCode: number): void => {
      killed.resolve(exitCode);
      stopping.abort();
    };
    this.#running.set(pid, { pid, uid: process.user.uid, argv: process.argv, end });
    const signal = AbortSignal.any([process.signal, stopping.signal]);
    try {
      return await Promise.race([program({ ...process, pid, signal }), killed.promise]);
    } finally {
      this.#running.delete(pid);
    }
  }

  #pidOf(key: object): number {
    const known = this.#pids.get(key);
    if (known !== undefined) return known;
    this.#pids.set(key, ++this.#lastPid);
    return this.#lastPid;
  }
}

/** For a container that nobody observes. */
export const noProcesses = (): ProcessTable => new ProcessTable(() => [], false);
