import { Duplex } from 'node:stream';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { WebSocketConnection, type WebSocketOptions } from './websocket.ts';

/** Bytes of another protocol inside binary messages: `SPDY/3.1+portforward.k8s.io`. */
export function webSocketTunnel(options: Pick<WebSocketOptions, 'socket' | 'head' | 'side'>): Duplex {
  let isEnded = false;
  const end = () => {
    if (!isEnded) tunnel.push(null);
    isEnded = true;
  };
  const tunnel: Duplex = new Duplex({
    read: () => webSocket.resume(),
    write(bytes: Uint8Array, _encoding, done) {
      webSocket.send(bytes);
      webSocket.whenDrained(done);
    },
    final(done) {
      webSocket.close();
      done();
    },
    destroy(failure, done) {
      webSocket.close();
      done(failure);
    },
  });
  const webSocket: WebSocketConnection = new WebSocketConnection({
    ...options,
    onMessage(message) {
      if (!isEnded && !tunnel.push(message)) webSocket.pause();
    },
  });
  whenFulfilled(webSocket.closed, end);
  return tunnel;
}
