/** Removes bootstrap tokens when they expire. */
import { isStatusError } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import type { Secret } from '../serviceaccount/token-secret.ts';
import { isBootstrapToken, remainingMs } from './bootstrap-token.ts';

export const tokenCleaner: Controller = {
  name: 'token-cleaner-controller',
  aliases: ['tokencleaner'],
  offByDefault: true,
  serviceAccount: 'token-cleaner',
  start(context) {
    const secrets = context.informers.informer<Secret>(resources.secrets);
    const client = context.client.resource(resources.secrets);
    const reconciler = startReconciler(context, {
      queueName: 'token_cleaner',
      workers: 1,
      ready: () => secrets.synced,
      reconcile: async function syncBootstrapToken(key) {
        const secret = secrets.lister.byKey(key);
        if (secret === undefined || !isBootstrapToken(secret)) return;
        const leftMs = remainingMs(secret, context.clock.now());
        if (leftMs === undefined || leftMs > 0) return leftMs;
        const { name = '', namespace = '', uid = '' } = secret.metadata;
        try {
          await client.namespace(namespace).delete(name, { preconditions: { uid } });
        } catch (failure) {
          if (!isStatusError(failure, 'Conflict') && !isStatusError(failure, 'NotFound')) throw failure;
        }
      },
    });
    const wake = (secret: Secret) => {
      if (isBootstrapToken(secret)) reconciler.addObject(secret);
    };
    secrets.addHandler(onWrite(wake));
  },
};
