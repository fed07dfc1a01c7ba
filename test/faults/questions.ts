/** What is asked of servers during a fault, to compare what they answer. */
import type { Answer, ApiServer } from '../one-etcd/servers.ts';

/** Some faults are told of by a time-out only. */
const answerMsMax = 15_000;

export type Questions = Readonly<Record<string, (server: ApiServer) => Promise<Answer>>>;

/** What each server answered to each question, by the question. */
export type Answers = Readonly<Record<string, readonly string[]>>;

export const questions: Questions = {
  'get, newest': (server) => server.send('GET', '/api/v1/namespaces/default'),
  'list, whatever is there': (server) => server.send('GET', '/api/v1/namespaces?resourceVersion=0'),
  'list, newest': (server) => server.send('GET', '/api/v1/namespaces'),
  create: (server) =>
    server.send('POST', '/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name: 'a' } }),
  write: (server) =>
    server.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { generateName: 'a-' } }),
  livez: (server) => server.send('GET', '/livez'),
};

export async function askAll(servers: readonly ApiServer[], asked: Questions = questions): Promise<Answers> {
  const reported = await Promise.all(
    Object.entries(asked).map(async ([name, ask]) => {
      return [name, await Promise.all(servers.map((server) => inTime(ask(server))))] as const;
    }),
  );
  return Object.fromEntries(reported);
}

async function inTime(asked: Promise<Answer>): Promise<string> {
  const startMs = performance.now();
  const late = pause(answerMsMax).then(() => undefined);
  const answer = await Promise.race([asked.catch((failure: Error) => failure), late]);
  const after = `after ${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  if (answer === undefined) return 'nothing';
  if (answer instanceof Error) return `${answer.message} ${after}`;
  const said = answer.json?.message ?? answer.text.split('\n').find((line) => line.startsWith('[-]'));
  const message = answer.status < 400 ? '' : ` ${said ?? answer.text.slice(0, 80)}`;
  return `${answer.status}${message} ${after}`;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
