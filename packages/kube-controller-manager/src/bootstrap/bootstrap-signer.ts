/** Signs the public cluster information with each bootstrap token, so that holders of a token can verify it. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import { deepEqual, isStatusError, type KubeObject, type Live } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onChange, onWrite } from '../event-handlers.ts';
import { resources } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import type { Secret } from '../serviceaccount/token-secret.ts';
import { isBootstrapToken, signingToken, tokenNamespace } from './bootstrap-token.ts';
import { detachedSignature } from './detached-signature.ts';

type ConfigMap = Live<core.ConfigMap>;

const namespace = 'kube-public';
const name = 'cluster-info';
const contentKey = 'kubeconfig';
const signaturePrefix = 'jws-kubeconfig-';

export const bootstrapSigner: Controller = {
  name: 'bootstrap-signer-controller',
  aliases: ['bootstrapsigner'],
  offByDefault: true,
  serviceAccount: 'bootstrap-signer',
  start(context) {
    const secrets = context.informers.informer<Secret>(resources.secrets);
    const configMaps = context.informers.informer<ConfigMap>(resources.configMaps);
    const client = context.client.resource<ConfigMap>(resources.configMaps).namespace(namespace);

    const signatures = async (content: string): Promise<Readonly<Record<string, string>>> => {
      const nowMs = context.clock.now();
      const tokens = secrets.lister
        .list(tokenNamespace)
        .filter(isBootstrapToken)
        .flatMap((secret) => signingToken(secret, nowMs) ?? []);
      const signed: Record<string, string> = {};
      for (const { id, secret } of tokens) {
        signed[`${signaturePrefix}${id}`] ??= await detachedSignature(content, id, secret);
      }
      return signed;
    };

    const reconciler = startReconciler(context, {
      queueName: 'bootstrap_signer_queue',
      workers: 1,
      ready: () => Promise.all([secrets.synced, configMaps.synced]),
      reconcile: async function signClusterInfo() {
        const map = configMaps.lister.get(name, namespace);
        const content = map?.data?.[contentKey];
        if (map?.data === undefined || content === undefined) return;
        const unsigned = Object.entries(map.data).filter(([key]) => !key.startsWith(signaturePrefix));
        const data = { ...Object.fromEntries(unsigned), ...(await signatures(content)) };
        if (deepEqual(data, map.data)) return;
        try {
          await client.update({ ...map, data });
        } catch (failure) {
          if (!isStatusError(failure, 'Conflict') && !isStatusError(failure, 'NotFound')) throw failure;
        }
      },
    });
    const wake = () => reconciler.add(`${namespace}/${name}`);
    const ofMap = ({ metadata }: KubeObject) => {
      if (metadata.name === name && metadata.namespace === namespace) wake();
    };
    const ofSecret = (secret: Secret) => {
      if (isBootstrapToken(secret)) wake();
    };
    configMaps.addHandler(onWrite(ofMap));
    secrets.addHandler(onChange(ofSecret));
  },
};
