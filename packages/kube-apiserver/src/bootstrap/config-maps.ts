import { serverManager } from './bootstrap-object.ts';
import type { BootstrapObject } from './bootstrap-object.ts';

const namespace = 'kube-system';

/** @param published what extension servers need to know of authentication; nothing is published without it */
export const configMapObjects = (
  published: Readonly<Record<string, string>>,
  nowMs: number,
): BootstrapObject[] => [
  ...(Object.keys(published).length === 0
    ? []
    : [configMap('extension-apiserver-authentication', published)]),
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
