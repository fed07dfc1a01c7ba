/** A tunnel through an HTTP proxy with CONNECT, or through a SOCKS5 proxy. */

import { request } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';

/** @throws Error if the proxy refuses */
export function tunnelThrough(proxyUrl: string, host: string, port: number): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  if (proxy.protocol === 'socks5:' || proxy.protocol === 'socks5h:') {
    // Loaded on demand, since few use SOCKS.
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
