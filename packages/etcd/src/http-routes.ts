/** Responses to plain HTTP requests. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Alarm, Engine } from '@coxswain/storage';
import type { Metrics } from './metrics.ts';
import { versions } from './versions.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type HttpRoutes = (method: string, url: string) => HttpResponse;

const text = 'text/plain; charset=utf-8';
/** As etcd with its default of any origin. */
const sharing = {
  'access-control-allow-headers': 'accept, content-type, authorization',
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE',
  'access-control-allow-origin': '*',
};

interface Check {
  readonly name: string;
  /** The reason why the server is unhealthy; undefined if it is healthy. */
  readonly problem: (engine: Engine) => string | undefined;
}

const serializableRead: Check = { name: 'serializable_read', problem: readProblem };
const linearizableRead: Check = { name: 'linearizable_read', problem: readProblem };
const nonLearner: Check = { name: 'non_learner', problem: () => undefined };
const dataCorruption: Check = {
  name: 'data_corruption',
  problem: ({ alarms }) => (alarms.list().includes('CORRUPT') ? 'alarm activated: CORRUPT' : undefined),
};

const probes: Readonly<Record<string, readonly Check[]>> = {
  livez: [serializableRead],
  readyz: [dataCorruption, serializableRead, linearizableRead, nonLearner],
};

/** Routes of the client port: all of them. */
export function httpRoutes(engine: Engine, metrics: Metrics): HttpRoutes {
  const observed = observationRoutes(engine, metrics);
  return (method, url) => {
    if (pathOf(url) !== '/version') return observed(method, url);
    if (method !== 'GET' && method !== 'HEAD') return notAllowed;
    return answer(200, 'application/json', JSON.stringify(versions));
  };
}

/** Routes of the metrics port: monitoring only. */
export function observationRoutes(engine: Engine, metrics: Metrics): HttpRoutes {
  return (method, url) => {
    const { pathname, searchParams } = new URL(url, 'http://etcd');
    const [, first = '', second, ...more] = pathname.split('/');
    const checks = more.length === 0 ? probes[first] : undefined;
    if (pathname === '/metrics')
      return answer(200, 'text/plain; version=0.0.4; charset=utf-8', metrics.text());
    if (pathname !== '/health' && checks === undefined) return notFound;
    if (method !== 'GET') return notAllowed;
    if (checks === undefined) return health(engine, searchParams.getAll('exclude'));
    const wanted = second === undefined ? checks : checks.filter(({ name }) => name === second);
    return wanted.length === 0 ? notFound : probe(engine, first, wanted, searchParams);
  };
}

const answer = (
  status: number,
  type: string,
  body: string,
  more: HttpResponse['headers'] = {},
): HttpResponse => ({
  status,
  headers: { ...sharing, 'content-type': type, ...more },
  body,
});

const noSniffing = { 'x-content-type-options': 'nosniff' };
const notFound = answer(404, text, '404 page not found\n', noSniffing);
const notAllowed = answer(405, text, 'Method Not Allowed\n', { allow: 'GET', ...noSniffing });

const pathOf = (url: string): string => url.split('?', 1)[0]!;

/** The old health endpoint, which kubeadm and k3s still use. It can exclude alarms. */
function health(engine: Engine, excluded: readonly string[]): HttpResponse {
  const alarm = engine.alarms.list().find((each: Alarm) => !excluded.includes(each));
  const reason = alarm === undefined ? (readProblem(engine) ?? '') : `ALARM ${alarm}`;
  const body = JSON.stringify({ health: String(reason === ''), reason });
  return answer(reason === '' ? 200 : 503, text, body);
}

function probe(
  engine: Engine,
  path: string,
  checks: readonly Check[],
  parameters: URLSearchParams,
): HttpResponse {
  const excluded = parameters.getAll('exclude');
  const results = checks
    .filter(({ name }) => !excluded.includes(name))
    .map(({ name, problem }) => ({ name, problem: problem(engine) }));
  const lines = results.map(({ name, problem }) =>
    problem === undefined ? `[+]${name} ok\n` : `[-]${name} failed: ${problem}\n`,
  );
  if (results.some(({ problem }) => problem !== undefined))
    return answer(503, text, `${lines.join('')}${path} check failed\n`, noSniffing);
  return answer(200, text, `${parameters.has('verbose') ? lines.join('') : ''}ok\n`, noSniffing);
}

function readProblem(engine: Engine): string | undefined {
  try {
    engine.get('health');
    return undefined;
  } catch (failure) {
    return messageOf(failure);
  }
}
