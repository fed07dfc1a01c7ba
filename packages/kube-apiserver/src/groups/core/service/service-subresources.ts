import { badRequest, goQuote, serviceUnavailable } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/apiserver';
import { ServiceProxyOptions } from '@coxswain/api/core/v1/proxy-options.ts';
import type { Endpoints } from '@coxswain/api/core/v1/endpoints.ts';
import { as } from '../../resource.ts';
import type { Stores } from '../../stores.ts';
import { proxyMethods, proxyNotBuilt } from '../proxy.ts';

export const serviceSubresources = (stores: Stores): Readonly<Record<string, ApiResource>> => ({
  proxy: {
    storage: {
      kind: ServiceProxyOptions,
      namespaced: true,
      connectMethods: proxyMethods,
      async connect(request, id) {
        const name = serviceNameIn(id);
        if (name === undefined) throw badRequest(`invalid service request ${goQuote(id)}`);
        const endpoints = await stores.of('', 'endpoints').main.get(request, name, { resourceVersion: '' });
        if (!as<Endpoints>(endpoints.object).subsets?.length) {
          throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
        }
        throw proxyNotBuilt('services/proxy');
      },
    },
    managedFields: false,
  },
});

/** `name`, `name:port`, `http:name:port`, `https:name:port`. */
function serviceNameIn(id: string): string | undefined {
  const parts = id.split(':');
  if (parts.length <= 2) return parts[0];
  return parts.length === 3 && (parts[0] === 'http' || parts[0] === 'https') ? parts[1] : undefined;
}
