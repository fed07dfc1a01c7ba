/** The connection to an extender: HTTP, with TLS if its address or configuration requires it. */
import { parseDurationMs, type Clock } from '@coxswain/apimachinery';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseJson } from '@coxswain/schema/json/parsed.ts';
import { goFailureText } from '@coxswain/client/https/go-failure-text.ts';
import type { Transport } from '@coxswain/client';
import { transportOf } from '@coxswain/client/https/connect.ts';
import { dataOrFile } from '@coxswain/client/kubeconfig/data-or-file.ts';
import { keyPairProblem } from '@coxswain/client/kubeconfig/key-pair.ts';
import type { ExtenderConfiguration, ExtenderTls } from '../config/configuration.ts';
import type { ExtenderConnection } from './http-extender.ts';

const timeoutMsDefault = 5000;

export function extenderConnection(configuration: ExtenderConfiguration, clock: Clock): ExtenderConnection {
  const prefix = configuration.urlPrefix.replace(/\/+$/, '');
  const timeoutMs = parseDurationMs(configuration.httpTimeout ?? '0s') || timeoutMsDefault;
  let transport: Transport | undefined;
  return {
    async post(verb, body) {
      const address = `${prefix}/${verb}`;
      const url = urlOf(address);
      transport ??= transportTo(url, configuration, clock);
      const timer = new AbortController();
      const timeout = clock.after(timeoutMs, () => timer.abort(timedOut), { idle: true });
      try {
        const response = await transport.send({
          method: 'POST',
          path: `${url.pathname}${url.search}`,
          headers: { 'content-type': 'application/json', 'user-agent': 'Go-http-client/1.1' },
          body: Buffer.from(body),
          signal: timer.signal,
        });
        const bytes = await response.bytes();
        if (response.status !== 200)
          throw new AnswerError(`failed ${verb} with extender at URL ${address}, code ${response.status}`);
        return parsed(Buffer.from(bytes).toString());
      } catch (failure) {
        throw failure instanceof AnswerError ? failure : notPosted(address, url, failure);
      } finally {
        timeout.cancel();
      }
    },
    async close() {
      await transport?.close();
    },
  };
}

const timedOut = new Error('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');

/** An error whose message needs no prefix. */
class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** @throws AnswerError for an invalid address */
function urlOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const scheme = url?.protocol.slice(0, -1) ?? '';
  throw new AnswerError(`Post ${goQuote(address)}: unsupported protocol scheme ${goQuote(scheme)}`);
}

/** Treats the extender as a cluster of a kubeconfig, with this scheduler as its user. */
function transportTo(
  url: URL,
  { enableHTTPS = false, tlsConfig: tls = {} }: ExtenderConfiguration,
  clock: Clock,
): Transport {
  const hasAuthority = Boolean(tls.caData || tls.caFile);
  return transportOf(
    {
      cluster: {
        server: url.origin,
        'insecure-skip-tls-verify': (tls.insecure ?? false) || (enableHTTPS && !hasAuthority),
        'tls-server-name': tls.serverName ?? '',
        'certificate-authority': tls.caFile ?? '',
        'certificate-authority-data': tls.caData ?? '',
      },
      user: {
        'client-certificate': tls.certFile ?? '',
        'client-certificate-data': tls.certData ?? '',
        'client-key': tls.keyFile ?? '',
        'client-key-data': tls.keyData ?? '',
      },
    },
    clock,
  );
}

function parsed(text: string): unknown {
  if (text.trim() === '') throw new AnswerError('EOF');
  try {
    return parseJson(text).value;
  } catch (failure) {
    throw new AnswerError(messageOf(failure));
  }
}

const notPosted = (address: string, { hostname, port, protocol }: URL, failure: unknown): Error => {
  const text =
    failure === timedOut
      ? timedOut.message
      : goFailureText(failure, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
  return new Error(`Post ${goQuote(address)}: ${text}`, { cause: failure });
};

/** @throws Error with upstream's message for invalid files and certificates */
export function checkExtenderTls({
  insecure,
  certFile,
  keyFile,
  caFile,
  certData,
  keyData,
  caData,
}: ExtenderTls): void {
  if (insecure && (caFile || caData))
    throw new Error('specifying a root certificates file with the insecure flag is not allowed');
  const authority = dataOrFile(caData, caFile);
  const hasPair = Boolean(certFile || certData) && Boolean(keyFile || keyData);
  const certificate = hasPair ? dataOrFile(certData, certFile) : undefined;
  const key = hasPair ? dataOrFile(keyData, keyFile) : undefined;
  if (authority !== undefined && !authority.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('unable to load root certificates: unable to parse bytes as PEM block');
  const problem = certificate && key ? keyPairProblem(certificate, key) : undefined;
  if (problem !== undefined) throw new Error(problem);
}
