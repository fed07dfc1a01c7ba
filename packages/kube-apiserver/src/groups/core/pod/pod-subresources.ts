/** Everything below a pod. */
import { badRequest, goQuote, notFound } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResource, ApiResponse } from '@coxswain/apiserver';
import { emptyBody } from '@coxswain/apiserver';
import { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
} from '@coxswain/api/core/v1/pod-options.ts';

import { resources } from '../../../admission/object-reader.ts';
import type { Kind } from '@coxswain/schema';
import type { KubeletOperation } from '../../../kubelet-connection.ts';
import { as } from '../../resource.ts';
import type { Services } from '../../services.ts';
import { readAndUpdate } from '../../stores.ts';
import type { Store, Stores } from '../../stores.ts';
import { subresourceStrategyOf } from '../../strategy.ts';
import { proxyMethods, proxyNotBuilt } from '../proxy.ts';
import { bindingSubresource } from './binding.ts';
import { chooseContainer } from './container-choice.ts';
import { evictionSubresource } from './eviction.ts';
import { checkLogOptions } from './log-options.ts';
import { prepareEphemeralContainers, prepareResize } from './pod-strategy.ts';

export function podSubresources(stores: Stores, services: Services): Readonly<Record<string, ApiResource>> {
  const pods = stores.of('', 'pods');
  const { resource } = pods;
  const ephemeral = subresourceStrategyOf(
    resource,
    services,
    'ephemeralcontainers',
    prepareEphemeralContainers,
  );
  const resize = subresourceStrategyOf(resource, services, 'resize', prepareResize);
  return {
    attach: streamed(pods, services, 'attach', PodAttachOptions),
    binding: bindingSubresource(pods),
    ephemeralcontainers: { storage: readAndUpdate(pods.withStrategy(ephemeral)) },
    eviction: evictionSubresource(stores, services.objects),
    exec: streamed(pods, services, 'exec', PodExecOptions),
    log: {
      storage: {
        kind: Pod,
        namespaced: true,
        streamOptions: PodLogOptions,
        stream: (request, name) => logs(pods, services, request, name),
      },
      managedFields: false,
    },
    portforward: streamed(pods, services, 'portforward', PodPortForwardOptions),
    proxy: {
      storage: {
        kind: PodProxyOptions,
        namespaced: true,
        connectMethods: proxyMethods,
        connect: async (request, name) => {
          const pod = await podOf(pods, request, bareName(name));
          if (!pod.status.podIP && !pod.status.podIPs?.length) throw badRequest('address not allowed');
          throw proxyNotBuilt('pods/proxy');
        },
      },
      managedFields: false,
    },
    resize: { storage: readAndUpdate(pods.withStrategy(resize)) },
  };
}

/** `https:name:port` → `name`. */
const bareName = (name: string): string => {
  const parts = name.split(':');
  return parts.length === 3 ? parts[1]! : parts[0]!;
};

const podOf = async ({ main }: Store, request: ApiRequest, name: string): Promise<Pod> =>
  as<Pod>((await main.get(request, name, { resourceVersion: '' })).object);

async function logs(
  pods: Store,
  services: Services,
  request: ApiRequest,
  name: string,
): Promise<ApiResponse> {
  const { parameters } = request;
  checkLogOptions(name, parameters);
  const pod = await podOf(pods, request, name);
  const containerName = chooseContainer(pod, parameters.get('container') ?? '');
  const { nodeName } = pod.spec;
  // Nothing has run yet, hence nothing was said.
  if (!nodeName) return { status: 204, headers: {}, body: emptyBody };
  await checkNode(services, nodeName);
  return services.kubelets.call(request, {
    operation: 'log',
    nodeName,
    ...identityOf(pod),
    containerName,
    parameters,
  });
}

/** A node that isn't there is reported as a pod; the original does so. */
async function checkNode({ objects }: Services, name: string): Promise<void> {
  const node = await objects.get(resources.nodes, '', name);
  if (node === undefined) throw notFound({ group: '', resource: 'pods' }, name);
}

function checkPorts(parameters: URLSearchParams): void {
  for (const port of parameters.getAll('ports')) {
    if (/^\d+$/.test(port)) continue;
    throw badRequest(
      `cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(port)}: invalid syntax`,
    );
  }
}

const identityOf = ({ metadata }: Pod) => ({
  namespace: metadata.namespace!,
  podName: metadata.name!,
  podUid: metadata.uid!,
});

const streamed = (pods: Store, services: Services, operation: KubeletOperation, kind: Kind): ApiResource => ({
  storage: {
    kind,
    namespaced: true,
    connectMethods: ['GET', 'POST'],
    async connect(request, name) {
      const { parameters } = request;
      if (operation === 'portforward') checkPorts(parameters);
      const pod = await podOf(pods, request, name);
      const containerName =
        operation === 'portforward' ? '' : chooseContainer(pod, parameters.get('container') ?? '');
      const { nodeName } = pod.spec;
      if (!nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
      await checkNode(services, nodeName);
      return services.kubelets.call(request, {
        operation,
        nodeName,
        ...identityOf(pod),
        containerName,
        parameters,
      });
    },
  },
  managedFields: false,
});
