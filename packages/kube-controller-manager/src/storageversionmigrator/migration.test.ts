import { expect, test } from 'vitest';
import { turnOf, withCondition, type Migration } from './migration.ts';

const migration = (name: string, ...conditions: string[]): Migration =>
  ({
    metadata: { name, creationTimestamp: `2026-01-01T00:00:0${name.length}Z` },
    status: { conditions: conditions.map((type) => ({ type, status: 'True' })) },
  }) as unknown as Migration;

const names = (all: readonly Migration[]) => all.map(({ metadata }) => metadata.name);

test('the oldest migration that waits is next', () => {
  expect(turnOf([migration('bbb'), migration('a'), migration('cc')]).next?.metadata.name).toBe('a');
});

test('nothing starts while another migration of the resource is running', () => {
  expect(turnOf([migration('a'), migration('bb', 'MigrationRunning')]).next).toBeUndefined();
});

test('one that has ended is marked as not running, and makes room', () => {
  const ended = migration('a', 'MigrationRunning', 'MigrationSucceeded');
  const turn = turnOf([ended, migration('bb')]);
  expect([names(turn.ended), turn.next?.metadata.name]).toEqual([['a'], 'bb']);
});

test('a condition is given once', () => {
  const once = withCondition(migration('a'), 'MigrationFailed', 'Why', 'first', 'now');
  expect(withCondition(once, 'MigrationFailed', 'Why', 'second', 'later')).toBe(once);
});
