/** Forwards over the network, with the TLS settings of the flags. */
import { readFileSync } from 'node:fs';
import { asksForUpgrade } from '@coxswain/apiserver/http/upgrade.ts';
import { badRequest, systemClock, type Clock } from '@coxswain/apimachinery';
import { emptyBody, type ApiRequest, type ApiResponse } from '@coxswain/apiserver';
import { trusting } from '@coxswain/client/https/trusted-authorities.ts';
import type { Dial } from '../egress/dial.ts';
import { diallingAgents, directAgents } from '../egress/dialling-agents.ts';
import { forwardHttp } from './forward-http.ts';
import { askForSpdy, forwardUpgrade } from './forward-upgrade.ts';
import type { Forwarder, ForwardTarget } from './forwarder.ts';

export interface ClientCertificateFiles {
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface KubeletTls extends ClientCertificateFiles {
  /** PEM files; without an authority, kubelets' certificates are not verified, as upstream. */
  readonly authorityFile?: string | undefined;
}

/**
 * @param aggregator the client certificate for extension servers
 * @param dial the dialer into the cluster, unless connections are direct
 * @param clock the server's, by which its turns are shared
 * @throws Error when a file can't be read
 */
export function networkForwarder(
  kubelet: KubeletTls,
  aggregator: ClientCertificateFiles = {},
  dial?: Dial,
  clock: Clock = systemClock,
): Forwarder {
  const kubeletTls = tlsOf(kubelet);
  const own = certificateOf(aggregator);
  const agents = dial === undefined ? directAgents() : diallingAgents(dial);
  return {
    forward(request, target) {
      const tls = target.isKubelet ? kubeletTls : (extensionTls(target, own) ?? anyCertificate);
      if (isUpgrade(request) && target.staysHttp !== true) return forwardUpgrade(request, target, tls, dial);
      if (target.upgradeRequired) return Promise.reject(badRequest('Upgrade request required'));
      const slashed = withSlash(request, target);
      return slashed === undefined
        ? forwardHttp(request, target, tls, agents, clock)
        : Promise.resolve(slashed);
    },
    askForSpdy: (request, target, protocols) =>
      askForSpdy(request, target, protocols, target.isKubelet ? kubeletTls : anyCertificate, dial),
  };
}

const isUpgrade = ({ incoming, headers }: ApiRequest): boolean =>
  incoming.peer.protocol === 'HTTP/1.1' && asksForUpgrade(headers);

/** The certificates of pods and services have no name that could be verified. */
const anyCertificate = { rejectUnauthorized: false };

const read = (file: string | undefined) => (file ? readFileSync(file) : undefined);

const certificateOf = ({ certificateFile, keyFile }: ClientCertificateFiles): object => ({
  cert: read(certificateFile),
  key: read(keyFile),
});

function tlsOf({ authorityFile, ...files }: KubeletTls): object {
  const ca = read(authorityFile);
  return { ...trusting(ca), ...certificateOf(files), rejectUnauthorized: ca !== undefined };
}

const extensionTls = ({ extension }: ForwardTarget, own: object): object | undefined =>
  extension && {
    ...own,
    ...trusting(extension.authorities),
    servername: extension.serverName,
    rejectUnauthorized: !extension.takesAnyCertificate,
  };

/** A page's relative links require its root to end in a slash. */
function withSlash({ method, incoming }: ApiRequest, { path }: ForwardTarget): ApiResponse | undefined {
  if (path !== '' || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const query = incoming.query === '' ? '' : `?${incoming.query}`;
  return { status: 301, headers: { location: `${incoming.path}/${query}` }, body: emptyBody };
}
