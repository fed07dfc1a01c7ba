import { ManualClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from './assemble.ts';

const clock = new ManualClock();
let server: AssembledApiServer;

beforeAll(async () => {
  server = await assembleKubeApiServer({ storage: new MemoryStorage({ clock }), clock });
  await server.start();
});
afterAll(() => server.stop());

/** Upstream's responses to paths with empty segments. */
const answers: readonly (readonly [path: string, code: number, type: 'object' | 'text'])[] = [
  ['/api/v1/namespaces//pods', 200, 'object'],
  ['/api/v1/namespaces/default/pods//', 200, 'object'],
  ['/api//v1', 404, 'object'],
  ['/api/v1//pods', 404, 'object'],
  ['/api/v1/namespaces/default//pods', 404, 'object'],
  ['/api/v1/namespaces/default/pods/p//exec', 404, 'object'],
  ['/api/v1/namespaces/default/pods//p', 404, 'object'],
  ['/apis/apps/v1//deployments', 404, 'object'],
  ['//', 404, 'text'],
  ['//api', 404, 'text'],
  ['//api/v1/pods', 404, 'text'],
  ['//apis/apps/v1/deployments', 404, 'text'],
  ['/apis//apps/v1/deployments', 404, 'text'],
  ['//version', 404, 'text'],
  ['/healthz//', 404, 'text'],
  ['/healthz//ping', 404, 'text'],
  ['/openapi//v2', 404, 'text'],
];

test.each(answers)('%s is answered with %i', async (path, code, type) => {
  const transport = server.inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false });
  const { status, headers } = await transport.send({ method: 'GET', path, headers: {} });

  expect([status, headers['content-type']]).toEqual([
    code,
    type === 'object' ? 'application/json' : 'text/plain; charset=utf-8',
  ]);
});
