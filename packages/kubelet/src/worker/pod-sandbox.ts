import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { RuntimeFailure, type Runtime, type Sandbox } from '../runtime.ts';

/** The delay before creating a failed sandbox again. */
const sandboxRetryMs = 10_000;

/** The sandbox of one pod. */
export class PodSandbox {
  current: Sandbox | undefined;
  readonly #runtime: Runtime;
  #creating: Promise<void> | undefined;
  #stopping: Promise<void> = Promise.resolve();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Pending while the sandbox is being created; undefined if it is not. */
  get created(): Promise<void> | undefined {
    return this.#creating;
  }

  /** Resolves when network, volumes and everything else of a sandbox that was stopped are gone. */
  get stopped(): Promise<void> {
    return this.#stopping;
  }

  /** Does nothing while the sandbox is being created. */
  create(pod: Pod, ready: () => void, failed: (error: unknown) => void): void {
    this.#creating ??= this.#runtime.runSandbox(pod).then(
      (sandbox) => {
        this.#creating = undefined;
        this.current = sandbox;
        ready();
      },
      (error: unknown) => {
        this.#creating = undefined;
        failed(error);
      },
    );
  }

  /** Waits for a creation in progress. */
  stop(pod: Pod): Promise<void> {
    this.#stopping = Promise.resolve(this.#creating).then(async () => {
      if (this.current !== undefined) await this.#runtime.stopSandbox(this.current, pod);
    });
    return this.#stopping;
  }
}

/** Failures of what a sandbox needs have reasons of their own. */
const failuresBeforeSandbox: ReadonlySet<string> = new Set(['FailedMount', 'FailedPrepareDynamicResources']);

/** The event of a failed creation, and when to try again. */
export function sandboxFailure(error: unknown): { reason: string; message: string; retryMs: number } {
  const isNamed = error instanceof RuntimeFailure && failuresBeforeSandbox.has(error.code);
  const retryMs = (error instanceof RuntimeFailure ? error.retryMs : undefined) ?? sandboxRetryMs;
  return isNamed
    ? { reason: error.code, message: error.message, retryMs }
    : {
        reason: 'FailedCreatePodSandBox',
        message: `Failed to create pod sandbox: ${messageOf(error)}`,
        retryMs,
      };
}
