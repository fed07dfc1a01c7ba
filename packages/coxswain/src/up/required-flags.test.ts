import { defaultsOf } from '@coxswain/cobra';
import { expect, test } from 'vitest';
import { checkRequiredFlags, flagText, requiredFlags } from './required-flags.ts';
import { upFlags, type UpFlags } from './up-flags.ts';

const defaults = defaultsOf(upFlags);
const pairs = Object.entries(requiredFlags).flatMap(([name, required]) =>
  required.map((other) => [name as keyof UpFlags, other] as const),
);

test.each(pairs)('%s without %s is refused, and its help says so', (name, other) => {
  const given = { ...defaults, ui: false, [name]: 'x' };
  const changed = (flag: keyof UpFlags) => flag === name;
  expect(() => checkRequiredFlags(given, changed)).toThrow(
    new RegExp(`^${flagText(name)} requires .*${flagText(other)}`),
  );
  expect(() => checkRequiredFlags({ ...given, [other]: 'x' }, changed)).not.toThrow();
  expect(upFlags[name].usage).toContain(flagText(other));
});

test('a flag that is not given, or is given without a value, needs no other one', () => {
  expect(() => checkRequiredFlags(defaults, () => false)).not.toThrow();
  expect(() => checkRequiredFlags(defaults, (flag) => flag === 'token')).not.toThrow();
});
