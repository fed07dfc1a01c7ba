/** A KMS provider of the configuration: its plugin, whose status is polled. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { envelope } from '@coxswain/storage/encryption/envelope.ts';
import { EnvelopeKeys } from '@coxswain/storage/encryption/envelope-keys.ts';
import type { PrefixedTransformer } from '@coxswain/storage/encryption/transformer.ts';
import type { KmsConfiguration } from './encryption-configuration.ts';
import type { EncryptionMetrics } from './encryption-metrics.ts';
import { KmsPlugin } from './kms-plugin.ts';

export interface KmsProviderParts {
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly log: (line: string) => void;
  readonly metrics: EncryptionMetrics;
}

export interface KmsProvider extends PrefixedTransformer {
  /** The current problem, from a recent status response. */
  check(): Promise<string | undefined>;
  close(): void;
}

/** As upstream: the maximum age of a status response that health checks may use, … */
const wellMsMax = 20_000;
const unwellMsMax = 3_000;
/** … and the interval at which the status is polled regardless of health checks. */
const probeEveryMs = 60_000;
const probeUnwellEveryMs = 10_000;

/** @throws Error for KMS v1, which is disabled upstream as well */
export async function openKmsProvider(
  configuration: KmsConfiguration,
  parts: KmsProviderParts,
): Promise<KmsProvider> {
  const { name, apiVersion, endpoint, timeoutMs } = configuration;
  if (apiVersion === 'v1') {
    throw new Error(
      'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  ' +
        'Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
    );
  }
  const { clock, newUid, metrics } = parts;
  const plugin = new KmsPlugin(endpoint, timeoutMs, clock, metrics.ofCalls(name));
  const keys = new EnvelopeKeys(name, plugin, clock, newUid, metrics.ofKeys(name));
  const probe = new KmsProbe(name, keys, parts);
  await probe.run();
  return {
    prefix: `k8s:enc:kms:v2:${name}:`,
    transformer: envelope(keys),
    check: () => probe.check(),
    close() {
      probe.stop();
      plugin.close();
    },
  };
}

class KmsProbe {
  readonly #name: string;
  readonly #keys: EnvelopeKeys;
  readonly #parts: KmsProviderParts;
  #problem: string | undefined;
  #answeredMs = -Infinity;
  #asking: Promise<void> | undefined;
  #timer: { cancel(): void } | undefined;
  #isStopped = false;

  constructor(name: string, keys: EnvelopeKeys, parts: KmsProviderParts) {
    this.#name = name;
    this.#keys = keys;
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const problem = await this.check();
    if (this.#isStopped) return;
    const delayMs = problem === undefined ? probeEveryMs : probeUnwellEveryMs;
    this.#timer = this.#parts.clock.after(delayMs, () => detach(this.run()), { idle: true });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async check(): Promise<string | undefined> {
    const ageMs = this.#parts.clock.monotonic() - this.#answeredMs;
    if (ageMs < (this.#problem === undefined ? wellMsMax : unwellMsMax)) return this.#problem;
    await (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
    return this.#problem;
  }

  async #ask(): Promise<void> {
    try {
      await this.#keys.probe();
      this.#problem = undefined;
    } catch (failure) {
      this.#problem = messageOf(failure);
      this.#parts.log(`kms plugin ${JSON.stringify(this.#name)} failed a health check: ${this.#problem}`);
    }
    this.#answeredMs = this.#parts.clock.monotonic();
  }
}
