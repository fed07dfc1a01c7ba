import { atomicList, bool, int64, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const DeviceAttribute = struct('resource/v1.DeviceAttribute', {
  int: pointer(2, int64, { go: 'IntValue' }),
  bool: pointer(3, bool, { go: 'BoolValue' }),
  string: pointer(4, string, { go: 'StringValue' }),
  version: pointer(5, string, { go: 'VersionValue' }),
  ints: optional(6, atomicList(int64), { go: 'IntValues', gate: 'DRAListTypeAttributes' }),
  bools: optional(7, atomicList(bool), { go: 'BoolValues', gate: 'DRAListTypeAttributes' }),
  strings: optional(8, atomicList(string), { go: 'StringValues', gate: 'DRAListTypeAttributes' }),
  versions: optional(9, atomicList(string), { go: 'VersionValues', gate: 'DRAListTypeAttributes' }),
});
export interface DeviceAttribute extends Static<typeof DeviceAttribute> {}
