import { serverManager, type BootstrapObject } from '../bootstrap-object.ts';

const namespace = 'kube-system';

export const configMapObjects = (nowMs: number): BootstrapObject[] => [
  configMap('kube-apiserver-legacy-service-account-token-tracking', {
    since: new Date(nowMs).toISOString().slice(0, 'YYYY-MM-DD'.length),
  }),
];

const configMap = (name: string, data: Readonly<Record<string, string>>): BootstrapObject => ({
  group: '',
  version: 'v1',
  resource: 'configmaps',
  manager: serverManager,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data },
});
