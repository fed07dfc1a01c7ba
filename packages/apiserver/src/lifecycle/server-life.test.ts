import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { RequestCounter } from './request-counter.ts';
import { ServerLife } from './server-life.ts';

function life(shutdownDelayMs = 0) {
  const events: string[] = [];
  const clock = new ManualClock();
  const inFlight = new RequestCounter();
  const server = new ServerLife({
    clock,
    inFlight,
    log: () => undefined,
    shutdownDelayMs,
    drainMsMax: 10_000,
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

test('a stopping server is unready at once, then waits for what is under way, then flushes the audit log', async () => {
  const { server, clock, inFlight, events, listen } = life(3_000);
  server.addPreShutdownHook({ name: 'endpoint', stop: () => void events.push('hook') });
  await server.start(listen);
  inFlight.enter();

  const stopped = server.stop();
  expect(await server.shutdownCheck.check()).toBe('process is shutting down');
  await clock.advance(2_000);
  expect([server.refusesNewRequests, events]).toEqual([false, ['listening', 'hook']]);
  await clock.advance(1_500);
  expect([server.refusesNewRequests, events.at(-1)]).toEqual([true, 'listener closed']);
  inFlight.leave();
  await stopped;

  expect(events.slice(-3)).toEqual(['listener closed', 'connections closed', 'audit flushed']);
});

test('what never ends is waited for only so long', async () => {
  const { server, clock, inFlight, events, listen } = life();
  await server.start(listen);
  inFlight.enter();

  const stopped = server.stop();
  await clock.advance(11_000);
  await stopped;

  expect(events.at(-1)).toBe('audit flushed');
});

test('two hooks of one name are a mistake that is told at start', () => {
  const { server } = life();
  server.addPostStartHook({ name: 'a', start: () => undefined });

  expect(() => server.addPostStartHook({ name: 'a', start: () => undefined })).toThrow('registered twice');
});
