import type { Node } from '@coxswain/api/core/v1/node.ts';
import { NodeProxyOptions } from '@coxswain/api/core/v1/proxy-options.ts';
import { badRequest, goQuote } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/apiserver';
import { splitSchemeNamePort } from '../../../proxy/forwarder.ts';
import { as } from '../../any-object.ts';
import type { Services } from '../../services.ts';
import type { Stores } from '../../resource.ts';
import { proxied, proxyMethods } from '../proxy.ts';

export const nodeSubresources = (
  stores: Stores,
  { kubelets }: Services,
): Readonly<Record<string, ApiResource>> => ({
  proxy: {
    storage: {
      kind: NodeProxyOptions,
      namespaced: false,
      connectMethods: proxyMethods,
      async connect(request, id, path) {
        const target = splitSchemeNamePort(id);
        if (target === undefined) throw badRequest(`invalid node request ${goQuote(id)}`);
        const { scheme, name, port } = target;
        const { object } = await stores.of('', 'nodes').main.get(request, name, { resourceVersion: '' });
        return kubelets.proxy(request, { node: as<Node>(object), scheme, port, ...proxied(request, path) });
      },
    },
    managedFields: false,
  },
});
