/** Publishes the authority of the API server's certificate to every namespace, for pods. */

import type * as core from '@coxswain/api/core/v1/index.ts';
import { deepEqual, isStatusError, type KubeObject, type Live } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type Namespace } from '../objects.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { startReconciler } from '../reconciler.ts';

type ConfigMap = Live<core.ConfigMap>;

const configMapName = 'kube-root-ca.crt';
/** Upstream's text, since clients can read it. */
const annotations = {
  'kubernetes.io/description':
    'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
};

export const rootCaPublisher: Controller = {
  name: 'root-ca-certificate-publisher-controller',
  aliases: ['root-ca-cert-publisher'],
  serviceAccount: 'root-ca-cert-publisher',
  start(context) {
    const certificate = context.settings.rootCertificateAuthority;
    if (certificate === undefined) return;
    const namespaces = context.informers.informer<Namespace>(resources.namespaces);
    const configMaps = context.informers.informer<ConfigMap>(resources.configMaps);
    const client = context.client.resource<ConfigMap>(resources.configMaps);
    const data = { 'ca.crt': certificate };
    const reconciler = startReconciler(context, {
      queueName: 'root_ca_cert_publisher',
      ready: () => Promise.all([namespaces.synced, configMaps.synced]),
      reconcile: async function syncNamespaceRootCa(name) {
        if (namespaces.lister.get(name)?.status?.phase !== 'Active') return;
        const current = configMaps.lister.get(configMapName, name);
        const inNamespace = client.namespace(name);
        try {
          if (current === undefined) {
            const metadata = { name: configMapName, namespace: name, annotations };
            await inNamespace.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
          } else if (!deepEqual(current.data, data) || !hasAnnotations(current)) {
            const metadata = {
              ...current.metadata,
              annotations: { ...current.metadata.annotations, ...annotations },
            };
            await inNamespace.update({ ...current, metadata, data });
          }
        } catch (error) {
          if (!isStatusError(error, 'AlreadyExists') && !isNamespaceTerminating(error)) throw error;
        }
      },
    });
    const wake = ({ metadata }: KubeObject) => {
      if (metadata.name === configMapName) reconciler.add(metadata.namespace ?? '');
    };
    namespaces.addHandler(onWrite(reconciler.addObject));
    configMaps.addHandler({ updated: (_before, after) => wake(after), deleted: wake });
  },
};

const hasAnnotations = ({ metadata }: KubeObject): boolean =>
  Object.entries(annotations).every(([key, value]) => metadata.annotations?.[key] === value);
