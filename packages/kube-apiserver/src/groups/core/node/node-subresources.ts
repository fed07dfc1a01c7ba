import type { ApiResource } from '@coxswain/apiserver';
import { NodeProxyOptions } from '@coxswain/api/core/v1/proxy-options.ts';
import type { Stores } from '../../stores.ts';
import { proxyMethods, proxyNotBuilt } from '../proxy.ts';

export const nodeSubresources = (stores: Stores): Readonly<Record<string, ApiResource>> => ({
  proxy: {
    storage: {
      kind: NodeProxyOptions,
      namespaced: false,
      connectMethods: proxyMethods,
      async connect(request, name) {
        const bare = name.split(':').at(name.split(':').length === 3 ? 1 : 0)!;
        await stores.of('', 'nodes').main.get(request, bare, { resourceVersion: '' });
        throw proxyNotBuilt('nodes/proxy');
      },
    },
    managedFields: false,
  },
});
