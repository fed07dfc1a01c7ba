/** GET over HTTPS with limits, since the server that everything depends on reads an issuer's responses. */
import { Agent, request } from 'node:https';
import { judging } from '@coxswain/client/https/connect-tls.ts';
import { tunnelled } from '@coxswain/client/https/tunnelled-agent.ts';
import { trusting } from '@coxswain/client/https/trusted-authorities.ts';
import type { EgressName, EgressSelector } from '../../egress/dial.ts';
import { readAnswer } from '../../webhooks/read-answer.ts';
import type { HttpResponse, HttpsClient } from './jwt-settings.ts';

const timeoutMs = 30_000;

/** Discovery documents and key sets have a few kilobytes. */
const answerBytesMax = 4 * 1024 * 1024;

const redirectsMax = 10;

export const httpsClient =
  (selector?: EgressSelector): HttpsClient =>
  (authorities, egress) => {
    const dial = egress === '' ? undefined : selector?.dialOf(egress as EgressName);
    const agent = tunnelled(judging(new Agent({ keepAlive: true, ...trusting(authorities) })), dial);
    agent.maxFreeSockets = 2;
    const get = async (
      url: string,
      headers: Readonly<Record<string, string>> = {},
      redirects = 0,
    ): Promise<HttpResponse> => {
      if (new URL(url).protocol !== 'https:') throw new Error(`Get "${url}": only https is supported`);
      const answer = await sent(url, headers, agent);
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status > 308 || typeof location !== 'string') return answer;
      if (redirects === redirectsMax)
        throw new Error(`Get "${url}": stopped after ${redirectsMax} redirects`);
      const next = new URL(location, url);
      // Credentials are sent only to the host that they were given for.
      return get(next.href, next.host === new URL(url).host ? headers : {}, redirects + 1);
    };
    return (url, headers) => get(url, headers);
  };

function sent(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const failed = (failure: Error) =>
      reject(new Error(`Get "${url}": ${failure.message}`, { cause: failure }));
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = request(url, { agent, headers, signal }, (message) => {
      bodyOf(message, signal).then(
        (body) =>
          resolve({
            status: message.statusCode ?? 0,
            statusLine: `${message.statusCode} ${message.statusMessage}`,
            headers: message.headers,
            body,
          }),
        failed,
      );
    });
    asked.on('error', failed);
    asked.end();
  });
}

const bodyOf = async (message: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> =>
  Buffer.from(await readAnswer(message, { signal, bytesMax: answerBytesMax })).toString('utf8');
