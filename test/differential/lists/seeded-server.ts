/** One of the two servers, with the objects and revisions that the questions name. */
import type { Transport, TransportResponse } from '@coxswain/client/transport.ts';
import { decodeContinue, encodeContinue } from '@coxswain/apiserver/registry/continue-token.ts';
import type { ListQuestion } from './questions.ts';
import { viewOf, type ListAnswer, type SeenEvent } from './answer-view.ts';

export interface SeededServer {
  ask(question: ListQuestion): Promise<ListAnswer>;
  remove(): Promise<void>;
}

interface Listed {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

const names = ['a', 'b', 'c', 'd', 'e'];

/** Above all that a server of a test ever reaches. */
const future = 900_000_000;

/**
 * @param compact makes the past before the seeding unreadable, where the server doesn't by itself
 */
export async function seededServer(
  transport: Transport,
  token: string,
  namespace: string,
  compact: () => Promise<void>,
): Promise<SeededServer> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
  };
  const send = (
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<TransportResponse> =>
    transport.send({
      method,
      path,
      signal,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    });
  const sendJson = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    JSON.parse(Buffer.from(await (await send(method, path, body)).bytes()).toString()) as T;
  await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await compact();
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const revisions: string[] = [];
  for (const [index, name] of names.entries()) {
    const labels = { half: index % 2 === 0 ? 'no' : 'yes' };
    const made = await sendJson<Listed>('POST', collection, { metadata: { name, labels } });
    revisions.push(made.metadata.resourceVersion);
  }
  const page = await sendJson<Listed>('GET', `${collection}?limit=2`);
  const { start } = decodeContinue(page.metadata.continue!);
  const named: Readonly<Record<string, string>> = {
    $compacted: '1',
    $first: revisions[0]!,
    $newest: revisions.at(-1)!,
    $padded: `00${revisions[0]}`,
    $future: String(future),
    $page: page.metadata.continue!,
    $inconsistent: encodeContinue({ revision: undefined, start }),
    $compactedPage: encodeContinue({ revision: 1, start }),
    $futurePage: encodeContinue({ revision: future, start }),
    $foreignPage: encodeContinue({ revision: Number(revisions[0]), start: '../b\0' }),
  };
  const seeds = { first: Number(revisions[0]), newest: Number(page.metadata.resourceVersion), future };
  return {
    async ask({ watch, query }) {
      const parameters = new URLSearchParams(query.map(([name, value]) => [name, named[value] ?? value]));
      if (watch) {
        parameters.set('watch', 'true');
        parameters.set('timeoutSeconds', '1');
      }
      const response = await send('GET', `${collection}?${parameters}`);
      const text = Buffer.from(await response.bytes()).toString();
      if (!watch || response.status !== 200) return viewOf(response.status, parsed(text), [], seeds);
      const events = text.split('\n').filter((line) => line !== '');
      return viewOf(
        200,
        undefined,
        events.map((line) => JSON.parse(line) as SeenEvent),
        seeds,
      );
    },
    async remove() {
      await send('DELETE', collection);
      const left = await sendJson<object>('DELETE', `/api/v1/namespaces/${namespace}`);
      // An API server alone has no controller that would end it.
      await send('PUT', `/api/v1/namespaces/${namespace}/finalize`, { ...left, spec: { finalizers: [] } });
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
