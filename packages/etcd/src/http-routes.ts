/** What the client port answers to plain HTTP. */
import type { Engine } from '@coxswain/storage';
import type { Quota } from './quota.ts';
import { versions } from './versions.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export type HttpRoutes = (method: string, url: string) => HttpAnswer;

const text = 'text/plain; charset=utf-8';
const json = 'application/json';

/** The checks of each health path, in etcd's order. A store that answers passes all of them. */
const checks: Readonly<Record<string, readonly string[]>> = {
  livez: ['serializable_read'],
  readyz: ['data_corruption', 'serializable_read', 'linearizable_read', 'non_learner'],
};

export function httpRoutes(engine: Engine, quota: Quota): HttpRoutes {
  return (method, url) => {
    const { pathname, searchParams } = new URL(url, 'http://etcd');
    if (pathname === '/version') return { status: 200, type: json, body: JSON.stringify(versions) };
    if (pathname === '/health') return method === 'GET' ? health(quota) : notAllowed;
    if (pathname === '/metrics')
      return { status: 200, type: 'text/plain; version=0.0.4', body: metrics(engine) };
    const names = checks[pathname.slice(1)];
    if (names === undefined) return { status: 404, type: text, body: '404 page not found\n' };
    if (!canRead(engine)) return { status: 503, type: text, body: `${pathname.slice(1)} check failed\n` };
    const lines = searchParams.has('verbose') ? names.map((name) => `[+]${name} ok\n`).join('') : '';
    return { status: 200, type: text, body: `${lines}ok\n` };
  };
}

const notAllowed: HttpAnswer = { status: 405, type: text, body: 'Method Not Allowed\n' };

function health(quota: Quota): HttpAnswer {
  const isHealthy = !quota.isExceeded;
  const body = JSON.stringify({ health: String(isHealthy), reason: isHealthy ? '' : 'ALARM NOSPACE' });
  return { status: isHealthy ? 200 : 503, type: text, body };
}

function canRead(engine: Engine): boolean {
  try {
    engine.get('health');
    return true;
  } catch {
    return false;
  }
}

function metrics(engine: Engine): string {
  const { totalBytes, usedBytes } = engine.size();
  const gauges = {
    etcd_server_has_leader: 1,
    etcd_mvcc_db_total_size_in_bytes: totalBytes,
    etcd_mvcc_db_total_size_in_use_in_bytes: usedBytes,
    etcd_debugging_mvcc_current_revision: engine.revision,
    etcd_debugging_mvcc_compact_revision: engine.compactedRevision,
  };
  return Object.entries(gauges)
    .map(([name, value]) => `# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('');
}
