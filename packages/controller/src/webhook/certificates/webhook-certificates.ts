/**
 * Certificates for webhooks without cert-manager: created once, stored in a Secret, renewed in time, and registered
 * with the API server. All instances of a program share them; the first to write the Secret creates them for all.
 */

import { aborted } from '@coxswain/apimachinery';
import type { Manager, Runnable } from '../../manager.ts';
import type { WebhookConfigurationOptions } from '../configurations.ts';
import { injectAuthority, type WebhookObject } from './inject.ts';
import type { Names } from './issue.ts';
import { keptCertificates, type SecretName } from './keep.ts';

/** Where certificates are stored, and which objects refer to them. */
export interface WebhookCertificatesOptions {
  /** The Secret with the certificates. It is created if it doesn't exist, and filled if it is empty. */
  readonly secret: SecretName;
  /** As in {@link WebhookConfigurationOptions}: determines the names in the certificate. */
  readonly server: WebhookConfigurationOptions['server'];
  /** The objects that configure the webhooks, whose `caBundle` is kept up to date. */
  readonly inject?: readonly WebhookObject[];
}

/** PEM. */
export interface ServingIdentity {
  readonly cert: string;
  readonly key: string;
}

/** What {@link webhookCertificates} returns. */
export interface WebhookCertificates extends Runnable {
  /** The current certificate of the server; undefined until there is one. */
  readonly identity: ServingIdentity | undefined;
  /** Resolves with the first certificate. */
  readonly ready: Promise<ServingIdentity>;
}

/** The interval at which the Secret and the configurations are checked, since others may have changed them. */
const checkMs = 60_000;
/** The delay after a failure, such as a configuration that doesn't exist yet. */
const retryMs = 5_000;

/**
 * A part of a manager that creates, stores and renews the certificate of a {@link webhookServer}. Its account needs
 * permission to get, create and update that Secret, and to get and patch the objects to inject into. The manager is
 * ready only when all of this is done.
 * @example
 * const certificates = webhookCertificates({
 *   secret: { namespace: 'shop', name: 'greeter-webhooks' },
 *   server: { service: { namespace: 'shop', name: 'greeter' } },
 *   inject: [{ kind: 'ValidatingWebhookConfiguration', name: 'greeter' }],
 * });
 * const handlers = { '/validate': validating(Widget, () => undefined) };
 * manager.add(certificates).add(webhookServer({ certificates, handlers }));
 */
export function webhookCertificates(options: WebhookCertificatesOptions): WebhookCertificates {
  const ready = Promise.withResolvers<ServingIdentity>();
  let identity: ServingIdentity | undefined;
  let isInjected = false;
  const check = async ({ client, clock }: Manager): Promise<void> => {
    const data = await keptCertificates(client, options.secret, namesOf(options.server), clock.now());
    identity = { cert: data['tls.crt'], key: data['tls.key'] };
    ready.resolve(identity);
    for (const object of options.inject ?? []) await injectAuthority(client, object, data['ca.crt']);
    isInjected = true;
  };
  return {
    name: 'webhook certificates',
    get identity() {
      return identity;
    },
    ready: ready.promise,
    prepare(manager) {
      manager.readyChecks.add('webhook-certificates', () => {
        if (!isInjected) throw new Error('the certificates of the webhooks are not yet injected');
      });
    },
    async start(manager, signal) {
      while (!signal.aborted) {
        const waitMs = await check(manager).then(
          () => checkMs,
          (error: unknown) => {
            manager.onError(error, 'webhook certificates');
            return retryMs;
          },
        );
        await pause(manager, waitMs, signal);
      }
    },
  };
}

async function pause({ clock }: Manager, delayMs: number, signal: AbortSignal): Promise<void> {
  const due = Promise.withResolvers<void>();
  const timer = clock.after(delayMs, due.resolve, { idle: true });
  await Promise.race([due.promise, aborted(signal)]);
  timer.cancel();
}

function namesOf(server: WebhookConfigurationOptions['server']): Names {
  if ('url' in server) return [new URL(server.url).hostname.replaceAll(/^\[|\]$/g, '')];
  const { namespace, name } = server.service;
  const inCluster = `${name}.${namespace}.svc`;
  return [inCluster, `${inCluster}.cluster.local`, `${name}.${namespace}`, name];
}
