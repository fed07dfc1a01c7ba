import { expect, test } from 'vitest';
import { ineffectiveFlags } from '../ineffective-flags.ts';
import { ineffectiveFlagLines } from './flags-without-setting.ts';

const names = Object.keys(ineffectiveFlags);
const given = (...flags: readonly string[]) => ineffectiveFlagLines(names, (name) => flags.includes(name));

test('a flag without effect is reported, one with an effect is not', () => {
  expect(given('housekeeping-interval', 'cluster-dns', 'root-dir', 'config-dir')).toEqual([
    '--housekeeping-interval has no effect',
  ]);
});

test.each(['cloud-provider', 'image-credential-provider-config', 'lock-file'])(
  '--%s requests an unimplemented feature, and is refused',
  (flag) => {
    expect(() => given(flag)).toThrow(`--${flag} is not implemented`);
  },
);
