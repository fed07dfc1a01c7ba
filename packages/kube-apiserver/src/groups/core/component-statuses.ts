/** `componentstatuses`: a deprecated view of the control plane's health. */
import { notFound, type KubeObject } from '@coxswain/apimachinery';
import { servedObject, type ApiRequest, type RestStorage } from '@coxswain/apiserver';
import { ComponentStatus } from '@coxswain/api/core/v1/component-status.ts';
import type { VirtualResource } from '../resource.ts';
import { as } from '../any-object.ts';
import type { Services } from '../services.ts';

const warning = 'v1 ComponentStatus is deprecated in v1.19+';

export const componentStatuses: VirtualResource = {
  name: 'componentstatuses',
  versions: ['v1'],
  resource: (_stores, services) => ({
    storage: componentStatusStorage(services),
    singularName: 'componentstatus',
    shortNames: ['cs'],
    deprecation: warning,
    managedFields: false,
  }),
};

const componentStatusStorage = ({ storageHealthy }: Services): RestStorage => ({
  kind: ComponentStatus,
  namespaced: false,
  get(_request: ApiRequest, name: string) {
    const found = componentsNow(storageHealthy()).find((status) => status.metadata.name === name);
    if (found === undefined) throw notFound({ group: '', resource: 'componentstatus' }, name);
    return servedObject(found);
  },
  list(_request, { labelSelector, fieldSelector }) {
    const items = componentsNow(storageHealthy()).filter(
      ({ metadata }) =>
        labelSelector.matches({}) &&
        fieldSelector.matches((field) => (field === 'metadata.name' ? metadata.name! : '')),
    );
    return { resourceVersion: '', items: items.map(servedObject) };
  },
});

const componentsNow = (isStorageHealthy: boolean): KubeObject[] => [
  component('controller-manager', unreachable(10257)),
  component('scheduler', unreachable(10259)),
  component(
    'etcd-0',
    isStorageHealthy ? { status: 'True', message: 'ok' } : { status: 'False', message: 'closed' },
  ),
];

/** The other components don't listen where upstream expects them. */
const unreachable = (port: number) => ({
  status: 'False',
  message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`,
});

const component = (
  name: string,
  condition: { readonly status: string; readonly message: string },
): KubeObject =>
  as<KubeObject>({
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [{ type: 'Healthy', ...condition }],
  });
