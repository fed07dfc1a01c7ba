/** Encryption at rest from a configuration file, which may be reloaded when it changes. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { readFile } from 'node:fs/promises';
import type { GroupResource } from '@coxswain/apimachinery';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import { sha256Text } from '@coxswain/storage/encryption/sha256-text.ts';
import type { Transformer } from '@coxswain/storage/encryption/transformer.ts';
import type { KmsProvider, KmsProviderParts } from './kms-provider.ts';
import { resourceTransformers, type ResourceTransformers } from './resource-transformers.ts';

export interface EncryptionSettings {
  readonly file: string;
  readonly reloads: boolean;
}

export interface EncryptionAtRest {
  /** Must be called for each value, since the result may change. */
  transformerFor(resource: GroupResource): Transformer;
  /** For /healthz and /readyz. */
  readonly healthChecks: readonly HealthCheck[];
  close(): void;
}

/** As upstream. */
const reloadEveryMs = 60_000;
/** How long operations with the old keys may continue. */
const closeDelayMs = 10_000;

/** @throws Error with upstream's message when the file is unreadable or invalid */
export async function encryptionAtRest(
  { file, reloads }: EncryptionSettings,
  parts: KmsProviderParts,
): Promise<EncryptionAtRest> {
  const text = await readConfiguration(file);
  const following = new FollowedConfiguration(
    file,
    parts,
    sha256Text(text),
    await resourceTransformers(text, file, reloads, parts),
  );
  parts.metrics.configured(sha256Text(text));
  if (reloads) following.start();
  return {
    transformerFor: (resource) => following.current.transformerFor(resource),
    healthChecks: healthChecksOf(following, reloads),
    close: () => following.stop(),
  };
}

async function readConfiguration(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    throw new Error(
      'error while parsing file: error while loading file: error reading encryption provider configuration ' +
        `file ${JSON.stringify(file)}: open ${file}: ${reasons[failure.code ?? ''] ?? failure.message}`,
      { cause: failure },
    );
  });
  if (text !== '') return text;
  throw new Error(
    'error while parsing file: error while loading file: encryption provider configuration ' +
      `file ${JSON.stringify(file)} is empty`,
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
};

class FollowedConfiguration {
  current: ResourceTransformers;
  readonly #file: string;
  readonly #parts: KmsProviderParts;
  #hash: string;
  #timer: { cancel(): void } | undefined;
  #isStopped = false;

  constructor(file: string, parts: KmsProviderParts, hash: string, current: ResourceTransformers) {
    this.#file = file;
    this.#parts = parts;
    this.#hash = hash;
    this.current = current;
  }

  start(): void {
    if (this.#isStopped) return;
    const round = async () => {
      await this.#reload().catch((failure: Error) => {
        const { log, metrics } = this.#parts;
        metrics.reloaded('failure');
        log(`error processing encryption config file ${this.#file}: ${failure.message}`);
      });
      this.start();
    };
    this.#timer = this.#parts.clock.after(reloadEveryMs, () => detach(round()), { idle: true });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.current.close();
  }

  /** An unusable file changes nothing. */
  async #reload(): Promise<void> {
    const text = await readConfiguration(this.#file);
    const hash = sha256Text(text);
    if (hash === this.#hash) return;
    const next = await resourceTransformers(text, this.#file, true, this.#parts);
    const problem = await problemOf(next.kmsProviders);
    if (problem !== undefined || this.#isStopped) {
      next.close();
      throw new Error(`health check for new transformers failed, ${problem}`);
    }
    const before = this.current;
    this.current = next;
    this.#hash = hash;
    this.#parts.metrics.configured(hash);
    this.#parts.metrics.reloaded('success');
    this.#parts.clock.after(closeDelayMs, () => before.close(), { idle: true });
    this.#parts.log(`encryption config file ${this.#file} was reloaded`);
  }
}

/** One check for all key services if the file is reloaded, otherwise one for each. */
function healthChecksOf(following: FollowedConfiguration, reloads: boolean): readonly HealthCheck[] {
  if (!reloads && following.current.kmsProviders.length === 0) return [];
  return [{ name: 'kms-providers', check: () => problemOf(following.current.kmsProviders) }];
}

async function problemOf(providers: readonly KmsProvider[]): Promise<string | undefined> {
  const problems: string[] = [];
  for (const [index, provider] of providers.entries()) {
    const problem = await provider.check();
    if (problem !== undefined) problems.push(`kms-provider-${index}: ${problem}`);
  }
  if (problems.length === 0) return undefined;
  return problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
}
