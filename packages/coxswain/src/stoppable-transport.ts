import type { Transport } from '@coxswain/client';

/**
 * A component's way into the server, closed when the component is told to stop: what it still wants to write
 * then is refused at once, instead of being put off by a server that is stopping too.
 */
export const stoppableTransport = (transport: Transport, signal: AbortSignal): Transport => ({
  structured: transport.structured,
  address: transport.address,
  close: () => transport.close(),
  send: (request) => (signal.aborted ? Promise.reject(signal.reason) : transport.send(request)),
});
