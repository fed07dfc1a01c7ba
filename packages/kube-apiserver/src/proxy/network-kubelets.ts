/** Kubelets on other machines: found by their node's addresses, called over HTTPS. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import net from 'node:net';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { badRequest, StatusError } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { responseBytes } from '@coxswain/apiserver/http/in-process.ts';
import { upgradeResponse } from '@coxswain/apiserver/http/upgrade-response.ts';
import { asksForWebSocket } from '@coxswain/apiserver/http/upgrade.ts';
import type { AskForSpdy, WantedStreams } from '@coxswain/streaming';
import type { KubeletCall, KubeletConnection, StreamTranslation } from '../kubelet-connection.ts';
import { toInternalFailure } from './forward-upgrade.ts';
import { isGlobalUnicast } from './global-unicast.ts';
import type { Forwarder, ForwardTarget } from './forwarder.ts';
import { preferredAddressTypesDefault } from './preferred-addresses.ts';

const kubeletPortDefault = 10_250;

export function networkKubelets(
  forwarder: Forwarder,
  preferredAddressTypes: readonly string[] = preferredAddressTypesDefault,
): KubeletConnection {
  return {
    async call(request, call) {
      const host = addressOf(call.node, preferredAddressTypes);
      const target = { ...kubeletAt(call.node, host), path: pathOf(call), query: queryOf(call) };
      if (call.operation === 'log')
        return logOf(
          await forwarder.forward(request, { ...target, staysHttp: true }).catch(toLogFailure(target)),
          request.signal,
        );
      return call.translation === undefined || !asksForWebSocket(request.headers)
        ? forwarder.forward(request, { ...target, upgradeRequired: true })
        : translated(request, { call, target, forwarder, ...call.translation });
    },
    proxy(request, { node, scheme, port, path, pathPrefix }) {
      const host = addressOf(node, preferredAddressTypes);
      if (!isGlobalUnicast(host)) throw badRequest('address not allowed');
      const kubelet = kubeletAt(node, host);
      return port === '' || port === kubelet.port
        ? forwarder.forward(request, { ...kubelet, path, pathPrefix })
        : forwarder.forward(request, { scheme: scheme || 'http', host, port, path, pathPrefix });
    },
  };
}

interface TranslatedCall extends StreamTranslation {
  readonly call: KubeletCall;
  readonly target: ForwardTarget;
  readonly forwarder: Forwarder;
}

/** Few clients use protocols that a kubelet doesn't support, so the translation is loaded on demand. */
async function translated(
  request: ApiRequest,
  { call, target, forwarder, onAnswer }: TranslatedCall,
): Promise<ApiResponse> {
  const { asksForStreamClose, asksForTunnel, translateCommand, tunnelPortForward } = await inWallTime(
    () => import('@coxswain/streaming'),
  );
  const { headers } = request;
  const ask: AskForSpdy = (protocols) => forwarder.askForSpdy(request, target, protocols);
  if (call.operation === 'portforward' && asksForTunnel(headers)) {
    const reply = await tunnelPortForward(headers, ask).catch(toInternalFailure);
    onAnswer(reply.status);
    return upgradeResponse(reply);
  }
  if (call.operation !== 'portforward' && asksForStreamClose(headers)) {
    const wanted = wantedOf(target);
    const toSendFailure = (failure: Error): never => {
      throw new Error(`error sending request: Post "${urlOf(target)}": ${failure.message}`);
    };
    return upgradeResponse(
      translateCommand({
        headers,
        wanted,
        ask: (protocols) => ask(protocols).catch(toSendFailure),
        onAnswer,
      }),
    );
  }
  return forwarder.forward(request, { ...target, upgradeRequired: true });
}

/** As the request to the kubelet states them. */
function wantedOf({ query }: ForwardTarget): WantedStreams {
  const asked = new URLSearchParams(query);
  const [stdin, stdout, stderr, tty] = ['input', 'output', 'error', 'tty'].map((name) => asked.has(name));
  return { stdin: stdin!, stdout: stdout!, stderr: stderr!, tty: tty! };
}

const kubeletAt = ({ status }: Node, host: string) =>
  ({
    scheme: 'https',
    host,
    port: String(status.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPortDefault),
    isKubelet: true,
  }) as const;

/** @throws StatusError 500 when the node has no address of a wanted type */
function addressOf({ status }: Node, preferred: readonly string[]): string {
  const addresses = status.addresses ?? [];
  for (const wanted of preferred) {
    const found = addresses.find(({ type }) => type === wanted);
    if (found !== undefined) return found.address;
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw new StatusError(500, '', `no preferred addresses found; known addresses: [${known}]`);
}

const roots = { log: 'containerLogs', exec: 'exec', attach: 'attach', portforward: 'portForward' } as const;

function pathOf({ operation, namespace, podName, containerName }: KubeletCall): string {
  const parts = [roots[operation], namespace, podName, ...(containerName === '' ? [] : [containerName])];
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** The client's parameters that the kubelet supports, with the kubelet's names. */
const forwardedParameters: Readonly<Record<KubeletCall['operation'], Readonly<Record<string, string>>>> = {
  log: {
    follow: 'follow',
    previous: 'previous',
    timestamps: 'timestamps',
    sinceSeconds: 'sinceSeconds',
    sinceTime: 'sinceTime',
    tailLines: 'tailLines',
    limitBytes: 'limitBytes',
    stream: 'stream',
  },
  exec: { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty', command: 'command' },
  attach: { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' },
  portforward: { ports: 'port' },
};

const streamSwitches = new Set(['input', 'output', 'error', 'tty']);

function queryOf({ operation, parameters }: KubeletCall): string {
  const query = new URLSearchParams();
  for (const [name, kubeletName] of Object.entries(forwardedParameters[operation])) {
    for (const value of parameters.getAll(name)) {
      if (!streamSwitches.has(kubeletName)) query.append(kubeletName, value);
      else if (value !== 'false' && value !== '0') query.set(kubeletName, '1');
    }
  }
  return query.toString();
}

const refusalBytesMax = 2048;

/** A container's log is plain text; a kubelet's error becomes a Status. */
async function logOf(answer: ApiResponse, signal: AbortSignal): Promise<ApiResponse> {
  if (answer.status < 400) return { ...answer, headers: { 'content-type': 'text/plain' } };
  const text = new TextDecoder().decode(await responseBytes(answer, signal, refusalBytesMax));
  if (answer.status === 400) throw badRequest(text);
  throw new StatusError(answer.status, answer.status === 404 ? 'NotFound' : 'InternalError', text);
}

const toLogFailure =
  (target: ForwardTarget) =>
  (failure: Error): never => {
    const reason = failure.message.replace('error trying to reach service: ', '');
    throw new StatusError(500, '', `Get "${urlOf(target)}": ${reason}`);
  };

const urlOf = ({ scheme, host, port, path, query }: ForwardTarget): string =>
  `${scheme}://${net.isIPv6(host) ? `[${host}]` : host}:${port}${path}${query ? `?${query}` : ''}`;
