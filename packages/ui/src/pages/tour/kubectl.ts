/** kubectl in the page: a separate module, built from the sources of the command and loaded on first use. */

import type { Clock } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client';

interface KubectlOptions {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly stdin: string;
  readonly signal: AbortSignal;
}

interface KubectlModule {
  /** Runs one command to its end. The exit code is 0 if it succeeded. */
  kubectl(
    cluster: { readonly transport: Transport; readonly clock: Clock },
    line: string,
    options: KubectlOptions,
  ): Promise<{ readonly code: number }>;
  filesOf(cluster: {
    readonly transport: Transport;
    readonly clock: Clock;
  }): Promise<{ write(name: string, text: string): void }>;
}

/** The path at which `scripts/packs/ui.ts` puts it. */
const place = '/kubectl/kubectl.js';

let loading: Promise<KubectlModule> | undefined;

export const loadKubectl = (): Promise<KubectlModule> =>
  (loading ??= import(/* @vite-ignore */ place) as Promise<KubectlModule>);
