import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { endpoint, service, slice } from '../../test/objects.ts';
import { planService } from '../model/plan-services.ts';
import { FamilyTable } from './family-table.ts';

const plan = (...ips: string[]) =>
  new Map([
    [
      'default/web',
      planService(
        service('web'),
        [
          slice(
            'web',
            ips.map((ip) => endpoint(ip)),
          ),
        ],
        { name: 'n' },
      ),
    ],
  ]);

/** A kernel that records commands and rejects the ones it is told to reject. */
function newTable() {
  const clock = new ManualClock();
  const transactions: string[] = [];
  const kernel = { refuses: (_text: string) => false };
  const failures: string[] = [];
  const table = new FamilyTable(
    { family: 'IPv4', masqueradeAll: false, masqueradeBit: 14 },
    async (args, input) => {
      if (args.includes('list')) return JSON.stringify({ nftables: [] });
      transactions.push(input);
      if (kernel.refuses(input)) throw new Error('no');
      return '';
    },
    clock,
    { syncFailed: (family) => failures.push(family) },
  );
  return { clock, transactions, kernel, failures, table };
}

const isEverything = (text: string) => text.startsWith('add table ip kube-proxy');

test('everything is written first, then only what changes, and nothing where nothing does', async () => {
  const { table, transactions } = newTable();
  await table.sync(plan('10.244.0.2', '10.244.0.3'));
  await table.sync(plan('10.244.0.2', '10.244.0.4'));
  await table.sync(plan('10.244.0.2', '10.244.0.4'));

  expect(transactions.map(isEverything)).toEqual([true, false]);
});

test('a change that the kernel refuses is followed by everything at once', async () => {
  const { table, transactions, kernel, failures } = newTable();
  await table.sync(plan('10.244.0.2'));
  kernel.refuses = (text) => !isEverything(text);
  await table.sync(plan('10.244.0.3'));

  expect(transactions.map(isEverything)).toEqual([true, false, true]);
  expect(transactions[2]).toContain('dnat to 10.244.0.3:8080');
  expect(failures).toEqual(['IPv4']);
});

test('where everything is refused it is an error, and what was to be written is not lost', async () => {
  const { table, transactions, kernel } = newTable();
  kernel.refuses = () => true;
  await expect(table.sync(plan('10.244.0.2'))).rejects.toThrow('no');
  kernel.refuses = () => false;
  await table.sync(new Map());

  expect(transactions.at(-1)).toContain('dnat to 10.244.0.2:8080');
});

test('chains that are needed no more go a second later; others stay', async () => {
  const { table, transactions, clock } = newTable();
  await table.sync(plan('10.244.0.2'));
  const againMs = await table.sync(new Map([['default/web', undefined]]));
  expect(againMs).toBe(1_000);
  await table.sync(new Map());
  expect(transactions.some((text) => text.includes('delete chain ip kube-proxy service-'))).toBe(false);

  await clock.advance(1_000);
  expect(await table.sync(new Map())).toBeUndefined();
  expect(transactions.at(-1)).toMatch(/^delete chain ip kube-proxy service-\S+\n$/);

  await table.sync(plan('10.244.0.2'));
  await table.sync(new Map([['default/web', undefined]]));
  await table.sync(plan('10.244.0.2'));
  await clock.advance(1_000);
  const count = transactions.length;
  await table.sync(new Map());
  expect(transactions).toHaveLength(count);
});

test('once an hour everything is written even though nothing changes', async () => {
  const { table, transactions, clock } = newTable();
  await table.sync(plan('10.244.0.2'));
  await clock.advance(3_600_001);
  await table.sync(new Map());

  expect(transactions.map(isEverything)).toEqual([true, true]);
});

test('ranges of services that become known are dropped where nobody has the address', async () => {
  const { table, transactions } = newTable();
  await table.sync(plan('10.244.0.2'));
  table.setServiceCidrs(['10.96.0.0/12']);
  await table.sync(new Map());

  expect(transactions.at(-1)).toContain('ip daddr { 10.96.0.0/12 } drop');
});
