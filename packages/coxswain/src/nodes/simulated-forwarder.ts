/**
 * `pods/proxy` and `services/proxy` to simulated pods: the API server's access to their network within this process.
 */

import { networkContains, parseCidr, parseIp, serviceUnavailable } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { readBody } from '@coxswain/apiserver/http/request-body.ts';
import { requestHeaders, responseHeaders } from '@coxswain/kube-apiserver/proxy/forwarded-headers.ts';
import { unreachable, type Forwarder, type ForwardTarget } from '@coxswain/kube-apiserver/proxy/forwarder.ts';
import { rewrittenLocation } from '@coxswain/kube-apiserver/proxy/rewritten-location.ts';
import { requestBytesMax } from '@coxswain/simulated-nodes/network/http-connection.ts';
import type { HttpAnswer, HttpHeader } from '@coxswain/simulated-nodes/network/http-message.ts';
import {
  ConnectionReset,
  dialFailure,
  NetworkFailure,
} from '@coxswain/simulated-nodes/network/pod-network.ts';
import type { NodeDirectory } from './node-directory.ts';

/** @param elsewhere forwards to everything that is not simulated */
export const simulatedForwarder = (nodes: NodeDirectory, elsewhere: Forwarder): Forwarder => ({
  forward: (request, target) =>
    isSimulated(nodes, target) ? exchanged(nodes, request, target) : elsewhere.forward(request, target),
  askForSpdy: (request, target, protocols) => elsewhere.askForSpdy(request, target, protocols),
});

function isSimulated(nodes: NodeDirectory, { scheme, host, isKubelet, extension }: ForwardTarget): boolean {
  const address = parseIp(host);
  if (address === undefined || scheme !== 'http' || isKubelet || extension) return false;
  return nodes.specs.some(({ podCidr }) => {
    const range = parseCidr(podCidr);
    return range !== undefined && networkContains(range, address);
  });
}

/** @throws StatusError 503 if nothing answers there */
async function exchanged(
  { network }: NodeDirectory,
  request: ApiRequest,
  target: ForwardTarget,
): Promise<ApiResponse> {
  const { host, path, query = request.incoming.query } = target;
  const port = Number(target.port || 80);
  const { body } = request.incoming;
  const asked = {
    method: request.method,
    path: `${path === '' ? '/' : path}${query === '' ? '' : `?${query}`}`,
    headers: [['host', `${host}:${port}`] as const, ...pairs(requestHeaders(request, false))],
    body: body.kind === 'none' ? new Uint8Array(0) : await readBody(body, requestBytesMax),
  };
  try {
    const serve = await network.connect(host, port);
    return responseOf(await serve(asked), target);
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
    const why = failure instanceof ConnectionReset ? 'EOF' : dialFailure(failure, `${host}:${port}`);
    throw serviceUnavailable(`${unreachable}${why ?? failure.message}`);
  }
}

const pairs = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): HttpHeader[] =>
  Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value] as const),
  );

function responseOf({ status, headers, body }: HttpAnswer, target: ForwardTarget): ApiResponse {
  const own = responseHeaders(
    Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  );
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (location !== undefined) own['location'] = rewrittenLocation(location, target);
  return { status, headers: own, body: { kind: 'bytes', bytes: body } };
}
