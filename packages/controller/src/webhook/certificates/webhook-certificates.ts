/**
 * Certificates for webhooks without cert-manager: made once, kept in a Secret, renewed in time, and made known to the API
 * server. All instances of a program share them; who writes the Secret first has made them for all.
 */

import { aborted } from '@coxswain/apimachinery';
import type { Manager, Runnable } from '../../manager.ts';
import type { WebhookConfigurationOptions } from '../configurations.ts';
import { injectAuthority, type WebhookObject } from './inject.ts';
import type { Names } from './issue.ts';
import { keptCertificates, type SecretName } from './keep.ts';

/** Where certificates are kept, and who is told of them. */
export interface WebhookCertificatesOptions {
  /** Where they are kept. It is created where it is not there, and filled where it is empty. */
  readonly secret: SecretName;
  /** As in {@link WebhookConfigurationOptions}: whose names the certificate bears. */
  readonly server: WebhookConfigurationOptions['server'];
  /** The objects that name the webhooks, whose `caBundle` is kept up to date. */
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

/** The Secret and the configurations are looked at this often: others may have changed them. */
const checkMs = 60_000;
/** After a failure, such as a configuration that is not there yet. */
const retryMs = 5_000;

/**
 * A part of a manager that makes, keeps and renews the certificate of a {@link webhookServer}. Its account may get, create and
 * update that Secret, and get and patch the objects to inject into. Readiness waits until all of it is done.
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
        if (!isInjected) throw new Error('the certificates of the webhooks are not made known yet');
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
