import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { anyAddress, ServiceHealth } from './service-health.ts';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** A port that is currently free. */
function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    }),
  );
}

const planWith = (port: number, localEndpoints: number) =>
  new Map([['default/web', { rules: [], healthCheck: { service: 'default/web', port, localEndpoints } }]]);

function newHealth(isWell = { value: true }, hosts = ['127.0.0.1']) {
  const failed: string[] = [];
  const health = new ServiceHealth({
    hosts,
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

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

test.skipIf(!hasIpv6)('both families have the port, each on all of its addresses', async () => {
  const port = await freePort('::');
  const families = Object.values(anyAddress).map((host) => newHealth(undefined, [host]));
  for (const { health, failed } of families) {
    await health.set(planWith(port, 1));
    expect(failed).toEqual([]);
  }
  for (const host of ['127.0.0.1', '[::1]'])
    expect((await fetch(`http://${host}:${port}/healthz`, { headers: { connection: 'close' } })).status).toBe(
      200,
    );
});
