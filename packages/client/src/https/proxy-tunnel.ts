/** A way through an HTTP proxy: CONNECT, and the socket is ours. Or through one that speaks SOCKS5. */

import { request } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';

/** @throws Error when the proxy refuses */
export function tunnelThrough(proxyUrl: string, host: string, port: number): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  if (proxy.protocol === 'socks5:' || proxy.protocol === 'socks5h:') {
    // Few have one.
    return import('./socks-tunnel.ts').then(({ tunnelThroughSocks }) =>
      tunnelThroughSocks(proxy, host, port),
    );
  }
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    const scheme = proxy.protocol.replace(':', '');
    return Promise.reject(new Error(`unsupported scheme "${scheme}", must be http, https, or socks5`));
  }
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const open = proxy.protocol === 'https:' ? requestSecure : request;
  const credentials = proxy.username
    ? {
        'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`,
      }
    : {};
  return new Promise((resolve, reject) => {
    const asking = open({
      hostname: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentials },
    });
    asking.once('connect', (answer, socket) => {
      if (answer.statusCode === 200) resolve(socket as Socket);
      else reject(new Error(`the proxy answered ${answer.statusCode} ${answer.statusMessage}`));
    });
    asking.once('error', reject);
    asking.end();
  });
}
