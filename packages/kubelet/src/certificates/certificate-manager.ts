/** Keeps a certificate valid: requests the first one, and rotates it before it expires. */
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
  /** Undefined while there is nothing to request. */
  readonly template: () => CertificateTemplate | undefined;
  /** Called with each new certificate. */
  readonly changed: (current: StoredCertificate) => void;
  readonly onError: (error: unknown) => void;
}

const waitMsMax = 15 * 60_000;
/** The interval of checks whether the node needs a different certificate. */
const lookEveryMs = 1_000;
/** The delay after a failure, which doubles up to a maximum. */
const retryMsMin = 2_000;
const retryMsMax = 32_000;

export class CertificateManager {
  readonly #options: CertificateManagerOptions;
  #current: StoredCertificate | undefined;
  #dueMs: number;
  #failures = 0;

  /** @throws Error if the stored certificate can't be used */
  constructor(options: CertificateManagerOptions) {
    this.#options = options;
    const stored = options.store.current();
    this.#current = stored !== undefined && endMs(stored.leaf) > options.clock.now() ? stored : undefined;
    this.#dueMs = this.#current === undefined ? 0 : rotationMs(this.#current.leaf, options.random.next());
  }

  get current(): StoredCertificate | undefined {
    return this.#current;
  }

  /** The number of failed requests. */
  get failures(): number {
    return this.#failures;
  }

  /** When the next certificate is due, in milliseconds of the clock. */
  get rotationDueMs(): number {
    return this.#dueMs;
  }

  /** Runs until the signal aborts. */
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

/** Rotates between 70 and 90 percent of the lifetime, so that nodes started together don't rotate together. */
export function rotationMs(leaf: X509Certificate, random: number): number {
  const fromMs = Date.parse(leaf.validFrom);
  return fromMs + (endMs(leaf) - fromMs) * (0.7 + 0.2 * random);
}
