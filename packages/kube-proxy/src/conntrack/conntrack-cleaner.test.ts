import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoint, service, slice } from '../../test/objects.ts';
import { planService } from '../model/plan-services.ts';
import { ConntrackCleaner } from './conntrack-cleaner.ts';

const flow = (from: string, to: string, answers: string) =>
  `udp      17 29 src=${from} dst=${to} sport=4000 dport=53 src=${answers} dst=${from} sport=53 dport=4000 mark=0 use=1`;

const plan = (protocol: string, ...ips: string[]) => {
  const ports = [{ name: 'http', port: 53, protocol }];
  const endpoints = {
    ...slice(
      'dns',
      ips.map((ip) => endpoint(ip)),
    ),
    ports: [{ name: 'http', port: 53, protocol }],
  };
  return new Map([
    [
      'default/dns',
      planService(service('dns', { ports }), [endpoints as ReturnType<typeof slice>], { name: 'n' }),
    ],
  ]);
};

function newCleaner(flows: readonly string[]) {
  const deleted: string[] = [];
  const calls: string[] = [];
  const cleaner = new ConntrackCleaner({
    run: async ([command = '', file = '']) => {
      calls.push(command);
      if (command === '-L') return flows.join('\n');
      deleted.push(...readFileSync(file, 'utf8').trim().split('\n'));
      return '';
    },
  });
  return { cleaner, deleted, calls };
}

test('flows to endpoints that are gone are forgotten; others, and those of nobody, are not', async () => {
  const { cleaner, deleted } = newCleaner([
    flow('10.244.0.9', '10.0.0.10', '10.244.0.2'),
    flow('10.244.0.8', '10.0.0.10', '10.244.0.3'),
    flow('10.244.0.7', '192.0.2.1', '192.0.2.1'),
  ]);
  cleaner.setServices(plan('UDP', '10.244.0.3'));
  await cleaner.clean();

  expect(deleted).toEqual(['-D -f ipv4 -p udp -s 10.244.0.9 -d 10.0.0.10 --sport 4000 --dport 53']);
});

test('nobody looks when no UDP service changed, or none has an endpoint', async () => {
  const { cleaner, calls } = newCleaner([]);
  cleaner.setServices(plan('TCP', '10.244.0.3'));
  await cleaner.clean();
  cleaner.setServices(plan('UDP'));
  await cleaner.clean();
  cleaner.setServices(plan('UDP', '10.244.0.3'));
  await cleaner.clean();
  await cleaner.clean();

  expect(calls).toEqual(['-L']);
});
