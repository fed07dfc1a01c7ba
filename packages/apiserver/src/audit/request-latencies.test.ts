import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import type { AdmissionPlugin } from '../admission/plugin.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import type { AuditBackend } from './audit-event.ts';
import { RequestLatencies } from './request-latencies.ts';

test('the durations of a part are summed, but of concurrent calls the longest counts', () => {
  const latencies = new RequestLatencies(new ManualClock());
  latencies.add('mutating-webhook', 100);
  latencies.add('mutating-webhook', 150.5);
  latencies.add('validating-webhook', 300);
  latencies.add('validating-webhook', 20);
  latencies.add('authentication', 0);
  expect(Object.fromEntries(latencies.annotations(1500))).toEqual({
    'apiserver.latency.k8s.io/mutating-webhook': '250.5ms',
    'apiserver.latency.k8s.io/validating-webhook': '300ms',
    'apiserver.latency.k8s.io/total': '1.5s',
  });
});

test('time that belongs to another part is subtracted, even after a failure', async () => {
  const clock = new ManualClock();
  const latencies = new RequestLatencies(clock);
  const outer = latencies.during('etcd', async () => {
    await clock.sleep(10);
    const inner = latencies.during(
      'etcd',
      () => clock.sleep(700).then(() => Promise.reject(new Error())),
      -1,
    );
    await inner.catch(() => undefined);
  });
  await clock.advance(10);
  await clock.advance(700);
  await outer;
  expect(latencies.annotations(0)).toEqual([['apiserver.latency.k8s.io/etcd', '10ms']]);
});

const path = '/api/v1/namespaces/default/configmaps';

/** The annotations of the last request when admission takes this long. */
async function annotationsAfter(admissionMs: number): Promise<Readonly<Record<string, string>>> {
  const clock = new ManualClock();
  let reported: Readonly<Record<string, string>> = {};
  const backend: AuditBackend = {
    name: 'test',
    process(events) {
      for (const event of events) if (event.stage === 'ResponseComplete') reported = event.annotations ?? {};
      return true;
    },
    flush: () => Promise.resolve(),
  };
  const slow: AdmissionPlugin = {
    name: 'Slow',
    handles: () => true,
    async validate(attributes) {
      await clock.sleep(admissionMs);
      attributes.noteWait?.('validating-webhook', admissionMs);
    },
  };
  const api = inMemoryApi({
    resources: [{ kind: ConfigMap }],
    clock,
    plugins: [slow],
    audit: { policy: { rules: [{ level: 'Metadata' }] } as never, backend: () => backend },
  });
  for (const [method, at] of [
    ['POST', path],
    ['PUT', `${path}/a`],
  ] as const) {
    const answer = api.request(method, at, { metadata: { name: 'a' }, data: { method } });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    await clock.advance(admissionMs);
    expect((await answer).status).toBeLessThan(300);
  }
  return reported;
}

test('a slow request is annotated with the durations of its parts; admission is not storage', async () => {
  expect(await annotationsAfter(501)).toMatchObject({
    'apiserver.latency.k8s.io/validating-webhook': '501ms',
    'apiserver.latency.k8s.io/total': '501ms',
  });
  expect(await annotationsAfter(501)).not.toHaveProperty(['apiserver.latency.k8s.io/etcd']);
});

test('a faster request is not annotated', async () => {
  expect(Object.keys(await annotationsAfter(500)).filter((key) => key.includes('latency'))).toEqual([]);
});
