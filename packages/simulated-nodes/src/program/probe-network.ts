/** Probes and hooks of a simulated container whose image is defined: they receive its program's real response. */

import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  bodyBytesMax,
  following,
  probeHeaders,
  requestTimeout,
  type HttpAnswer,
} from '@coxswain/kubelet/probes/probe-request.ts';
import { hostAndPort, urlOf, type HttpTarget } from '@coxswain/kubelet/probes/probe-target.ts';
import type { ProbeNetwork } from '@coxswain/kubelet/probes/run-probe.ts';
import { headerOf, type HttpServer } from '../network/http-message.ts';
import { ConnectionReset, dialFailure } from '../network/pod-network.ts';
import { tooLate, within } from '../network/within.ts';

export interface ProbeNetworkParts {
  readonly clock: Clock;
  /** The server there, as the node sees it. @throws NetworkFailure */
  readonly connect: (host: string, port: number) => Promise<HttpServer>;
}

export const probeNetwork = (parts: ProbeNetworkParts): ProbeNetwork => ({
  httpGet: (target, timeoutMs) => requestOfProbe(parts, target, timeoutMs, 'kube-probe'),
  async tcpConnect(host, port, timeoutMs) {
    try {
      await within(parts.clock, timeoutMs, parts.connect(host, port));
    } catch (failure) {
      throw new Error(failureOf(host, port, failure), { cause: failure });
    }
  },
  async grpcHealth({ host, port }) {
    const address = hostAndPort(host, port);
    try {
      await parts.connect(host, port);
    } catch (failure) {
      const description = `connection error: desc = "transport: error while dialing: ${failureOf(host, port, failure)}"`;
      return { success: false, output: `error: failed to connect service at "${address}": ${description}` };
    }
    return { success: true, output: 'service healthy' };
  },
});

/** @throws Error in the words of Go's client */
export async function requestOfProbe(
  { clock, connect }: ProbeNetworkParts,
  target: HttpTarget,
  timeoutMs: number,
  userAgent: string,
): Promise<HttpAnswer> {
  const headers = probeHeaders(target, userAgent);
  let asked = urlOf(target);
  const send = async (url: string) => {
    asked = url;
    const { protocol, hostname, port, host, pathname, search } = new URL(url);
    const serve = await connect(
      hostname.replace(/^\[|\]$/g, ''),
      Number(port || (protocol === 'https:' ? 443 : 80)),
    );
    if (protocol === 'https:') throw new Error('http: server gave HTTP response to HTTPS client');
    const all = Object.entries({ host, ...headers });
    const answer = await serve({
      method: 'GET',
      path: `${pathname}${search}`,
      headers: all,
      body: new Uint8Array(0),
    });
    return {
      status: answer.status,
      location: headerOf(answer, 'location'),
      body: async () => new TextDecoder().decode(answer.body.subarray(0, bodyBytesMax)),
      discard: () => undefined,
    };
  };
  try {
    return await within(clock, timeoutMs, following(target, send));
  } catch (failure) {
    const why =
      failure === tooLate
        ? requestTimeout
        : failure instanceof ConnectionReset
          ? 'EOF'
          : failureOf(target.host, target.port, failure);
    throw new Error(`Get "${asked}": ${why}`, { cause: failure });
  }
}

function failureOf(host: string, port: number, failure: unknown): string {
  const address = hostAndPort(host, port);
  if (failure === tooLate) return `dial tcp ${address}: i/o timeout`;
  return dialFailure(failure, address) ?? messageOf(failure);
}
