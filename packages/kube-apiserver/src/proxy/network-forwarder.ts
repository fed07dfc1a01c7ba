/** The way over the network, with TLS as the flags say. */
import { readFileSync } from 'node:fs';
import { asksForUpgrade } from '@coxswain/apiserver/http/upgrade.ts';
import { badRequest } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { emptyBody } from '@coxswain/apiserver';
import { forwardHttp } from './forward-http.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import type { Forwarder, ForwardTarget } from './forwarder.ts';

export interface KubeletTls {
  /** PEM files; without an authority a kubelet's certificate is not checked, as in the original. */
  readonly authorityFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** @throws Error when a file can't be read */
export function networkForwarder(kubelet: KubeletTls): Forwarder {
  const kubeletTls = tlsOf(kubelet);
  return {
    forward(request, target) {
      const tls = target.isKubelet ? kubeletTls : anyCertificate;
      if (isUpgrade(request)) return forwardUpgrade(request, target, tls);
      if (target.upgradeRequired) return Promise.reject(badRequest('Upgrade request required'));
      const slashed = withSlash(request, target);
      return slashed === undefined ? forwardHttp(request, target, tls) : Promise.resolve(slashed);
    },
  };
}

const isUpgrade = ({ incoming, headers }: ApiRequest): boolean =>
  incoming.peer.protocol === 'HTTP/1.1' && asksForUpgrade(headers);

/** Certificates of pods and services name nobody that could be checked. */
const anyCertificate = { rejectUnauthorized: false };

function tlsOf({ authorityFile, certificateFile, keyFile }: KubeletTls): object {
  const read = (file: string | undefined) => (file ? readFileSync(file) : undefined);
  const ca = read(authorityFile);
  return { ca, cert: read(certificateFile), key: read(keyFile), rejectUnauthorized: ca !== undefined };
}

/** Relative links of a page need its root to end in a slash. */
function withSlash({ method, incoming }: ApiRequest, { path }: ForwardTarget): ApiResponse | undefined {
  if (path !== '' || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const query = incoming.query === '' ? '' : `?${incoming.query}`;
  return { status: 301, headers: { location: `${incoming.path}/${query}` }, body: emptyBody };
}
