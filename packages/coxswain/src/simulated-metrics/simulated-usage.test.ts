import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podUsage, totalUsage } from './simulated-usage.ts';

const pod = (annotations: Readonly<Record<string, string>>) =>
  ({
    metadata: { name: 'p', annotations: { ...annotations } },
    spec: {
      containers: [
        { name: 'app', resources: { requests: { cpu: '500m', memory: '64Mi' } } },
        { name: 'log' },
      ],
    },
  }) as unknown as Pod;

const usageOf = (annotations: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(podUsage(pod(annotations)).map(({ name, usage }) => [name, usage]));

test('undeclared usage is a tenth of the request, or almost nothing', () => {
  expect(usageOf()).toEqual({
    app: { cpu: '50m', memory: '6710887' },
    log: { cpu: '1m', memory: '1Mi' },
  });
});

test('an annotation says what each container uses, and another what one of them does', () => {
  const usage = usageOf({
    'sim.coxswain.io/usage': 'cpu=0.2,memory=10Mi',
    'sim.coxswain.io/usage.log': 'cpu=5m',
  });

  expect(usage).toEqual({
    app: { cpu: '200m', memory: '10Mi' },
    log: { cpu: '5m', memory: '10Mi' },
  });
});

test('an invalid quantity is ignored', () => {
  expect(usageOf({ 'sim.coxswain.io/usage': 'cpu=much' })['log']).toEqual({ cpu: '1m', memory: '1Mi' });
});

test('a node uses what its containers use together', () => {
  expect(
    totalUsage([
      { cpu: '200m', memory: '10Mi' },
      { cpu: '900m', memory: '6Mi' },
    ]),
  ).toEqual({
    cpu: '1100m',
    memory: '16Mi',
  });
});

test('the arguments of stress say what it uses, up to its CPU limit', () => {
  const resources = { limits: { cpu: '1' }, requests: { cpu: '500m' } };
  const of = (container: object) =>
    podUsage({ spec: { containers: [container] } } as unknown as Pod)[0]!.usage;
  expect(of({ name: 'c', image: 'vish/stress', args: ['-cpus', '2'], resources })).toMatchObject({
    cpu: '1',
  });
  expect(
    of({ name: 'c', image: 'x/stress', command: ['stress'], args: ['--vm-bytes', '150M'] }),
  ).toMatchObject({ memory: '150M' });
});
