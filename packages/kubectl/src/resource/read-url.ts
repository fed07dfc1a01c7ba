/** Reads manifests from URLs like Go: on any port, through the proxy in the environment, following redirects. */
import { Agent as HttpAgent, get as getHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as getHttps } from 'node:https';
import { explainConnection } from '../connection/explain.ts';

/** The number of attempts while the server fails. */
const attemptsMax = 3;
const redirectsMax = 10;

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Error if there is no successful response */
export async function readUrl(url: string, env: Environment): Promise<string> {
  let failure = new Error(`unable to read URL "${url}"`);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const answer = await followed(url, env);
    const { statusCode: status = 0, statusMessage = '' } = answer;
    const text = await textOf(answer);
    if (status === 200) return text;
    failure = new Error(
      `unable to read URL "${url}", server reported ${status} ${statusMessage}, status code=${status}`,
    );
    if (status < 500) break;
  }
  throw failure;
}

async function followed(url: string, env: Environment): Promise<IncomingMessage> {
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(at, env);
    const { location } = answer.headers;
    if (location === undefined || ![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0)) return answer;
    answer.resume();
    if (redirects >= redirectsMax) throw new Error(`Get "${at}": stopped after ${redirectsMax} redirects`);
    at = new URL(location, at).href;
  }
}

function ask(url: string, env: Environment): Promise<IncomingMessage> {
  const options = { proxyEnv: { ...env } };
  return new Promise((resolve, reject) => {
    const asking = url.startsWith('https:')
      ? getHttps(url, { agent: new HttpsAgent(options) }, resolve)
      : getHttp(url, { agent: new HttpAgent(options) }, resolve);
    asking.once('error', (failure) => reject(explainConnection(failure, url)));
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
