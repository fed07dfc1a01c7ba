/** Keeps a certificate good: asks for the first one, and for the next before the last one ends. */
import type { X509Certificate } from 'node:crypto';
import type { Clock, Random } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import type { CertificateStore, StoredCertificate } from './certificate-store.ts';
import { newKey, satisfies, type CertificateTemplate } from './certificate-template.ts';
import { requestCertificate, type KubeletSigner } from './request-certificate.ts';

export interface CertificateManagerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly store: CertificateStore;
  readonly signer: KubeletSigner;
  /** undefined while nothing can be asked for. */
  readonly template: () => CertificateTemplate | undefined;
  /** Told of each new certificate. */
  readonly changed: (current: StoredCertificate) => void;
  readonly onError: (error: unknown) => void;
}

const waitMsMax = 15 * 60_000;
/** How often it is looked whether the node wants another certificate than it has. */
const lookEveryMs = 1_000;
/** After a failure: doubling, then evenly. */
const retryMsMin = 2_000;
const retryMsMax = 32_000;

export class CertificateManager {
  readonly #options: CertificateManagerOptions;
  #current: StoredCertificate | undefined;
  #dueMs: number;
  #failures = 0;

  /** @throws Error where there is a certificate that can't be used */
  constructor(options: CertificateManagerOptions) {
    this.#options = options;
    const stored = options.store.current();
    this.#current = stored !== undefined && endMs(stored.leaf) > options.clock.now() ? stored : undefined;
    this.#dueMs = this.#current === undefined ? 0 : rotationMs(this.#current.leaf, options.random.next());
  }

  get current(): StoredCertificate | undefined {
    return this.#current;
  }

  /** How often a certificate was not to be had. */
  get failures(): number {
    return this.#failures;
  }

  /** When the next one is asked for, milliseconds of the clock. */
  get rotationDueMs(): number {
    return this.#dueMs;
  }

  /** Until the signal aborts. */
  async run(): Promise<void> {
    const { clock, signal, onError } = this.#options;
    let retryMs = retryMsMin;
    while (!signal.aborted) {
      const template = this.#options.template();
      if (template === undefined || !this.#isDue(template)) {
        await clock.sleep(lookEveryMs, signal).catch(() => undefined);
        continue;
      }
      const failed = await this.#rotate(template).then(
        () => false,
        (error: unknown) => {
          if (!signal.aborted) onError(error);
          return true;
        },
      );
      if (!failed) {
        retryMs = retryMsMin;
        continue;
      }
      this.#failures++;
      await clock.sleep(retryMs, signal).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, retryMsMax);
    }
  }

  #isDue(template: CertificateTemplate): boolean {
    return (
      this.#current === undefined ||
      this.#options.clock.now() >= this.#dueMs ||
      !satisfies(this.#current.leaf, template)
    );
  }

  async #rotate(template: CertificateTemplate): Promise<void> {
    const { client, clock, signal, signer, store, random, changed } = this.#options;
    const key = await newKey();
    const request = { client, clock, signal, signer, template, key, waitMsMax };
    const certificate = await requestCertificate(request);
    this.#current = store.update({ certificate, key }, clock.now());
    this.#dueMs = rotationMs(this.#current.leaf, random.next());
    changed(this.#current);
  }
}

const endMs = (leaf: X509Certificate): number => Date.parse(leaf.validTo);

/** Between 70 and 90 percent of its life, so that nodes that began together don't ask together. */
export function rotationMs(leaf: X509Certificate, random: number): number {
  const fromMs = Date.parse(leaf.validFrom);
  return fromMs + (endMs(leaf) - fromMs) * (0.7 + 0.2 * random);
}
