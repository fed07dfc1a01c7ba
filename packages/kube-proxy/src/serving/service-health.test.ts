import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ServiceHealth } from './service-health.ts';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** One that nobody has just now. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    }),
  );
}

const planWith = (port: number, localEndpoints: number) =>
  new Map([['default/web', { rules: [], healthCheck: { service: 'default/web', port, localEndpoints } }]]);

function newHealth(isWell = { value: true }) {
  const failed: string[] = [];
  const health = new ServiceHealth({
    hosts: ['127.0.0.1'],
    isProxyHealthy: () => isWell.value,
    onError: (service, port) => failed.push(`${service} ${port}`),
  });
  closing.push(() => health.close());
  return { health, failed };
}

test('a balancer is told whether this node has endpoints, and whether its rules are kept', async () => {
  const port = await freePort();
  const isWell = { value: true };
  const { health } = newHealth(isWell);
  const ask = () => fetch(`http://127.0.0.1:${port}/any/path`, { headers: { connection: 'close' } });
  await health.set(planWith(port, 2));
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-load-balancing-endpoint-weight')).toBe('2');
  expect(await answer.json()).toEqual({
    service: { namespace: 'default', name: 'web' },
    localEndpoints: 2,
    serviceProxyHealthy: true,
  });

  isWell.value = false;
  expect((await ask()).status).toBe(503);
  isWell.value = true;
  await health.set(planWith(port, 0));
  expect((await ask()).status).toBe(503);

  await health.set(new Map([['default/web', undefined]]));
  await expect(ask()).rejects.toThrow();
});

test('a port that somebody else has is told', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) =>
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
  );
  closing.push(() => other.close());
  const { health, failed } = newHealth();
  await health.set(planWith(port, 1));

  expect(failed).toEqual([`default/web ${port}`]);
});
