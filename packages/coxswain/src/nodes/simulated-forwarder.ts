/**
 * Requests that the API server forwards to simulated pods: `pods/proxy` and `services/proxy`, and those for extension
 * servers.
 */

import { serviceUnavailable } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { readBody } from '@coxswain/apiserver/http/request-body.ts';
import { requestHeaders, responseHeaders } from '@coxswain/kube-apiserver/proxy/forwarded-headers.ts';
import { unreachable, type Forwarder, type ForwardTarget } from '@coxswain/kube-apiserver/proxy/forwarder.ts';
import { rewrittenLocation } from '@coxswain/kube-apiserver/proxy/rewritten-location.ts';
import { requestBytesMax } from '@coxswain/simulated-nodes/network/http-connection.ts';
import type { HttpAnswer } from '@coxswain/simulated-nodes/network/http-message.ts';
import { failureText, headerPairs, type SimulatedPlaces } from './simulated-places.ts';

/** @param elsewhere forwards to everything that is not simulated */
export const simulatedForwarder = (places: SimulatedPlaces, elsewhere: Forwarder): Forwarder => ({
  async forward(request, target) {
    if (target.isKubelet) return elsewhere.forward(request, target);
    const port = target.port || (target.scheme === 'https' ? '443' : '80');
    const asked = { host: target.host, port };
    try {
      const { address, isSimulated } = await places.find(asked);
      const found = { ...target, ...address };
      return await (isSimulated ? exchanged(places, request, found) : elsewhere.forward(request, found));
    } catch (failure) {
      throw serviceUnavailable(`${unreachable}${failureText(failure, asked)}`);
    }
  },
  askForSpdy: (request, target, protocols) => elsewhere.askForSpdy(request, target, protocols),
});

/** @throws NetworkFailure if nothing answers there */
async function exchanged(
  places: SimulatedPlaces,
  request: ApiRequest,
  target: ForwardTarget,
): Promise<ApiResponse> {
  const { host, port, path, scheme, extension, query = request.incoming.query } = target;
  const { body } = request.incoming;
  const headers = requestHeaders(request, false, extension?.user);
  const answer = await places.send(target, scheme === 'https', {
    method: request.method,
    path: `${path === '' ? '/' : path}${query === '' ? '' : `?${query}`}`,
    headers: [['host', extension?.serverName ?? `${host}:${port}`], ...headerPairs(headers)],
    body: body.kind === 'none' ? new Uint8Array(0) : await readBody(body, requestBytesMax),
  });
  return responseOf(answer, target);
}

function responseOf({ status, headers, body }: HttpAnswer, target: ForwardTarget): ApiResponse {
  const own = responseHeaders(
    Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  );
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (location !== undefined) own['location'] = rewrittenLocation(location, target);
  return { status, headers: own, body: { kind: 'bytes', bytes: body } };
}
