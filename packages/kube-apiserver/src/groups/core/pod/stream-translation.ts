/**
 * Determines who translates the WebSockets of newer clients: the node's kubelet if it declares support, otherwise this
 * server.
 */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { StreamOperation, StreamTranslation } from '../../../kubelet-connection.ts';
import type { Services } from '../../services.ts';
import type { StreamCounters } from '../../stream-counters.ts';

const gates = {
  exec: 'TranslateStreamCloseWebsocketRequests',
  attach: 'TranslateStreamCloseWebsocketRequests',
  portforward: 'PortForwardWebsockets',
} as const;

const extended = 'ExtendWebSocketsToKubelet';

export function streamTranslation(
  { features, streamCounters }: Services,
  operation: StreamOperation,
  { status }: Node,
): StreamTranslation | undefined {
  if (!features.enabled(gates[operation])) return undefined;
  const isHere = !(features.enabled(extended) && status.declaredFeatures?.includes(extended));
  streamCounters.routed(operation, isHere);
  return isHere ? { onAnswer: (code) => streamCounters.answered(operation, code) } : undefined;
}

export const streamCounters = (metrics: Metrics): StreamCounters => ({
  routed(subresource, isTranslatedHere) {
    const proxy_type = isTranslatedHere ? 'translated_at_apiserver' : 'proxied_to_kubelet';
    const help = 'Requests for streams into pods, by who translates their WebSockets.';
    metrics.counter('apiserver_websocket_streaming_requests_total', help, { subresource, proxy_type }).add();
  },
  answered(operation, code) {
    const [name, help] =
      operation === 'portforward'
        ? ['tunnel', 'Port forwards that came through a WebSocket and went on over SPDY.']
        : ['translator', 'Commands that came through a WebSocket and went on over SPDY.'];
    metrics.counter(`apiserver_stream_${name}_requests_total`, help, { code: String(code) }).add();
  },
});
