/** Ensures that every namespace has the service account `default`. */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type Namespace } from '../objects.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { startReconciler } from '../reconciler.ts';

const accountName = 'default';

export const serviceAccountController: Controller = {
  name: 'serviceaccount-controller',
  aliases: ['serviceaccount'],
  serviceAccount: 'service-account-controller',
  start(context) {
    const namespaces = context.informers.informer<Namespace>(resources.namespaces);
    const accounts = context.informers.informer<KubeObject>(resources.serviceAccounts);
    const client = context.client.resource(resources.serviceAccounts);
    const reconciler = startReconciler(context, {
      queueName: 'serviceaccount',
      ready: () => Promise.all([namespaces.synced, accounts.synced]),
      reconcile: async function syncNamespaceAccounts(name) {
        if (namespaces.lister.get(name)?.status?.phase !== 'Active') return;
        if (accounts.lister.get(accountName, name) !== undefined) return;
        const account = {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: accountName, namespace: name },
        };
        try {
          await client.namespace(name).create(account);
        } catch (error) {
          if (!isStatusError(error, 'AlreadyExists') && !isNamespaceTerminating(error)) throw error;
        }
      },
    });
    namespaces.addHandler(onWrite(reconciler.addObject));
    accounts.addHandler({
      deleted({ metadata }) {
        if (metadata.name === accountName) reconciler.add(metadata.namespace ?? '');
      },
    });
  },
};
