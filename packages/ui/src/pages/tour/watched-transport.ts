/**
 * Observes the objects that a command creates, and marks its requests so that a recording can tell them from others.
 */

import type { KubeObject } from '@coxswain/apimachinery';
import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

export interface MadeObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string;
  /** The object's own path: `/api/v1/namespaces/default/pods/web`. */
  readonly path: string;
}

interface Watching {
  /** The W3C Trace Context header sent with each request. */
  readonly traceParent: string;
  readonly onMade: (made: MadeObject) => void;
}

export function watchedTransport(transport: Transport, { traceParent, onMade }: Watching): Transport {
  return {
    structured: false,
    address: transport.address,
    async send(request) {
      const headers = { ...request.headers, traceparent: traceParent };
      const answer = await transport.send({ ...request, headers });
      return answer.status === 201 ? withMade(request, answer, onMade) : answer;
    },
    // The underlying transport belongs to the page and stays open.
    close: async () => {},
  };
}

/** A dry run creates nothing. */
function withMade(
  { method, path }: TransportRequest,
  answer: TransportResponse,
  onMade: (made: MadeObject) => void,
): TransportResponse {
  const [place = '', query = ''] = path.split('?', 2);
  if (new URLSearchParams(query).has('dryRun')) return answer;
  return {
    ...answer,
    async bytes() {
      const bytes = await answer.bytes();
      const object = objectOf(bytes);
      const { name, namespace, uid } = object?.metadata ?? {};
      if (name !== undefined && uid !== undefined)
        onMade({
          kind: object?.kind ?? '',
          name,
          namespace,
          uid,
          path: method === 'POST' ? `${place}/${encodeURIComponent(name)}` : place,
        });
      return bytes;
    },
  };
}

/** Undefined for responses that are not objects. */
function objectOf(bytes: Uint8Array): KubeObject | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as KubeObject;
  } catch {
    return undefined;
  }
}
