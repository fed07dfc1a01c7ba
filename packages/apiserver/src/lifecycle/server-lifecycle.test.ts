import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { RequestCounter } from './request-counter.ts';
import { ServerLifecycle, type ServerLifecycleOptions } from './server-lifecycle.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import { OpenWatches } from './open-watches.ts';

function life(options: Partial<ServerLifecycleOptions> = {}) {
  const events: string[] = [];
  const clock = new ManualClock();
  const inFlight = new RequestCounter();
  const server = new ServerLifecycle({
    clock,
    inFlight,
    log: () => undefined,
    shutdownDelayMs: 0,
    drainMsMax: 10_000,
    ...options,
    auditBackend: { flush: async () => void events.push('audit flushed') },
  });
  const listener = {
    stopListening: () => void events.push('listener closed'),
    close: async () => void events.push('connections closed'),
  };
  const listen = async () => {
    events.push('listening');
    return listener;
  };
  return { server, clock, inFlight, events, listen };
}

test('post-start hooks run once the server listens, and are health checks until they are done', async () => {
  const { server, events, listen } = life();
  const gate = Promise.withResolvers<void>();
  server.addPostStartHook({ name: 'wait', start: () => gate.promise });
  const started = server.start(listen);
  const check = server.healthChecks()[0]!;

  expect([check.name, await check.check()]).toEqual(['poststarthook/wait', 'not finished']);
  gate.resolve();
  await started;

  expect(await check.check()).toBeUndefined();
  expect(events).toEqual(['listening']);
});

test('a stopping server is unready at once, then waits for requests in progress, then flushes the audit log', async () => {
  const { server, clock, inFlight, events, listen } = life({
    shutdownDelayMs: 3_000,
    onRefusal: () => void events.push('waiting refused'),
  });
  server.addPreShutdownHook({ name: 'endpoint', stop: () => void events.push('hook') });
  await server.start(listen);
  inFlight.enter();

  const stopped = server.stop();
  expect(await server.shutdownCheck.check()).toBe('process is shutting down');
  await clock.advance(2_000);
  expect([server.refusesNewRequests, events]).toEqual([false, ['listening', 'hook']]);
  await clock.advance(1_500);
  expect([server.refusesNewRequests, ...events.slice(-2)]).toEqual([
    true,
    'waiting refused',
    'listener closed',
  ]);
  inFlight.leave();
  await stopped;

  expect(events.slice(-3)).toEqual(['listener closed', 'connections closed', 'audit flushed']);
});

test('endless requests are awaited only for a limited time', async () => {
  const { server, clock, inFlight, events, listen } = life();
  await server.start(listen);
  inFlight.enter();

  const stopped = server.stop();
  await clock.advance(11_000);
  await stopped;

  expect(events.at(-1)).toBe('audit flushed');
});

test('two hooks of one name are an error at startup', () => {
  const { server } = life();
  server.addPostStartHook({ name: 'a', start: () => undefined });

  expect(() => server.addPostStartHook({ name: 'a', start: () => undefined })).toThrow('registered twice');
});

test('with Retry-After the port stays open until requests in progress are done', async () => {
  const { server, inFlight, events, listen } = life({ sendsRetryAfter: true });
  await server.start(listen);
  inFlight.enter();

  const stopped = server.stop();
  await new Promise((resolve) => setImmediate(resolve));
  expect([server.refusesNewRequests, events]).toEqual([true, ['listening']]);
  inFlight.leave();
  await stopped;

  expect(events).toEqual(['listening', 'listener closed', 'connections closed', 'audit flushed']);
});

test('watches end one after the other within the time limit, the rest at its end', async () => {
  const openWatches = new OpenWatches();
  const { server, clock, listen, events } = life({ openWatches, watchTerminationMs: 1_000 });
  let ended = 0;
  for (let at = 0; at < 500; at++) openWatches.add(() => ended++);
  await server.start(listen);

  const stopped = server.stop();
  await clock.advance(400);
  expect(ended).toBeGreaterThan(150);
  expect(ended).toBeLessThan(300);
  expect(events).not.toContain('connections closed');
  await clock.advance(700);
  await stopped;

  expect([ended, openWatches.count]).toEqual([500, 0]);
});

test('a watch that has already ended is not ended again', async () => {
  const openWatches = new OpenWatches();
  let ended = 0;
  openWatches.add(() => ended++)();
  openWatches.endAll();

  expect(ended).toBe(0);
});

test('liveness tolerates an incomplete server for a while, readiness does not', async () => {
  const { server, clock } = life({ livezGraceMs: 5_000 });
  server.addPostStartHook({ name: 'slow', start: () => undefined });
  const problemsOf = (checks: readonly HealthCheck[]) => Promise.all(checks.map(({ check }) => check()));

  expect(await problemsOf(server.liveChecks())).toEqual([undefined]);
  expect(await problemsOf(server.healthChecks())).toEqual(['not finished']);
  await clock.advance(5_000);
  expect(await problemsOf(server.liveChecks())).toEqual(['not finished']);
});

test('the service manager is notified of a ready server', async () => {
  let reported = 0;
  const { server, listen } = life({ notifyReady: () => reported++ });
  const gate = Promise.withResolvers<void>();
  server.addPostStartHook({ name: 'wait', start: () => gate.promise });
  const started = server.start(listen);

  expect(reported).toBe(0);
  gate.resolve();
  await started;
  expect(reported).toBe(1);
});
