/** All subresources of pods. */
import net from 'node:net';
import { badRequest, forbidden, goQuote, notFound } from '@coxswain/apimachinery';
import { emptyBody, type ApiRequest, type ApiResource, type ApiResponse } from '@coxswain/apiserver';
import { attributesOf } from '@coxswain/apiserver/filters/authorize.ts';
import { tablelessScope } from '@coxswain/apiserver/negotiation/negotiate.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
} from '@coxswain/api/core/v1/pod/pod-options.ts';

import { resources } from '../../../object-reader.ts';
import type { Kind } from '@coxswain/schema';
import type { StreamOperation } from '../../../kubelet-connection.ts';
import { splitSchemeNamePort } from '../../../proxy/forwarder.ts';
import { isGlobalUnicast } from '../../../proxy/global-unicast.ts';
import { as } from '../../any-object.ts';
import type { Services } from '../../services.ts';
import { readAndUpdate } from '../../stores.ts';
import type { Store, Stores } from '../../resource.ts';
import { subresourceStrategyOf } from '../../strategy.ts';
import { proxied, proxyMethods } from '../proxy.ts';
import { bindingSubresource } from './binding.ts';
import { chooseContainer } from './container-choice.ts';
import { evictionSubresource } from './eviction.ts';
import { checkLogOptions } from './log-options.ts';
import { streamTranslation } from './stream-translation.ts';
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
    binding: bindingSubresource(pods, services.features),
    ephemeralcontainers: {
      storage: readAndUpdate(pods.withStrategy(ephemeral)),
      negotiation: tablelessScope,
    },
    eviction: evictionSubresource(stores, services),
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
        connect: async (request, id, path) => {
          const target = splitSchemeNamePort(id);
          if (target === undefined) throw badRequest(`invalid pod request ${goQuote(id)}`);
          const pod = await podOf(pods, request, target.name);
          const host = pod.status.podIP || pod.status.podIPs?.[0]?.ip || '';
          if (net.isIP(host) === 0 || !isGlobalUnicast(host)) throw badRequest('address not allowed');
          const firstPort = pod.spec.containers.flatMap(({ ports = [] }) => ports)[0]?.containerPort ?? '';
          return services.forwarder.forward(request, {
            ...proxied(request, path),
            scheme: target.scheme || 'http',
            host,
            port: target.port || String(firstPort),
          });
        },
      },
      managedFields: false,
    },
    resize: { storage: readAndUpdate(pods.withStrategy(resize)), negotiation: tablelessScope },
  };
}

const podOf = async ({ main }: Store, request: ApiRequest, name: string): Promise<Pod> =>
  as<Pod>((await main.get(request, name, { resourceVersion: '' })).object);

async function logs(
  pods: Store,
  services: Services,
  request: ApiRequest,
  name: string,
): Promise<ApiResponse> {
  const { parameters } = request;
  checkLogOptions(name, parameters, services.features.enabled('PodLogsQuerySplitStreams'));
  const pod = await podOf(pods, request, name);
  const containerName = chooseContainer(pod, parameters.get('container') ?? '');
  const { nodeName } = pod.spec;
  // Nothing has run yet, so there is no log.
  if (!nodeName) return { status: 204, headers: {}, body: emptyBody };
  return services.kubelets.call(request, {
    operation: 'log',
    node: await nodeOf(services, nodeName),
    ...identityOf(pod),
    containerName,
    parameters,
  });
}

/** A missing node is reported as a pod, as upstream. */
async function nodeOf({ objects }: Services, name: string): Promise<Node> {
  const node = await objects.get(resources.nodes, '', name);
  if (node === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return as<Node>(node);
}

/** Numbers of 16 bits, in one parameter or several, in each a comma-separated list. @throws StatusError 400 */
function checkPorts(parameters: URLSearchParams): void {
  for (const port of parameters.getAll('ports').flatMap((list) => list.split(','))) {
    const isNumber = /^\d+$/.test(port);
    if (isNumber && Number(port) <= 0xffff) continue;
    const problem = isNumber ? 'value out of range' : 'invalid syntax';
    throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(port)}: ${problem}`);
  }
}

const identityOf = ({ metadata }: Pod) => ({
  namespace: metadata.namespace!,
  podName: metadata.name!,
  podUid: metadata.uid!,
});

/**
 * Browsers open WebSockets only by GET, but permission to get must not suffice to run commands.
 * @throws StatusError 403
 */
async function mayCreate(request: ApiRequest, { authorizer, features }: Services): Promise<void> {
  const { verb, group, resource, name } = request.info;
  if (verb === 'create' || !features.enabled('AuthorizePodWebsocketUpgradeCreatePermission')) return;
  const { kind, reason } = await authorizer.decide({ ...attributesOf(request), verb: 'create' });
  if (kind !== 'allow') throw forbidden({ group, resource }, name, reason);
}

const streamed = (pods: Store, services: Services, operation: StreamOperation, kind: Kind): ApiResource => ({
  storage: {
    kind,
    namespaced: true,
    connectMethods: ['GET', 'POST'],
    async connect(request, name) {
      const { parameters } = request;
      request.observer?.note?.({
        upgrade: request.header('upgrade'),
        protocols: request.header('sec-websocket-protocol') ?? request.header('x-stream-protocol-version'),
      });
      await mayCreate(request, services);
      if (operation === 'portforward') checkPorts(parameters);
      const pod = await podOf(pods, request, name);
      const containerName =
        operation === 'portforward' ? '' : chooseContainer(pod, parameters.get('container') ?? '');
      const { nodeName } = pod.spec;
      if (!nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
      const node = await nodeOf(services, nodeName);
      return services.kubelets.call(request, {
        operation,
        node,
        translation: streamTranslation(services, operation, node),
        ...identityOf(pod),
        containerName,
        parameters,
      });
    },
  },
  managedFields: false,
});
