import * as t from '@coxswain/schema';

export const DeviceAttribute = t.struct('resource/v1.DeviceAttribute', {
  int: t.pointer(2, t.int64, { go: 'IntValue' }),
  bool: t.pointer(3, t.bool, { go: 'BoolValue' }),
  string: t.pointer(4, t.string, { go: 'StringValue' }),
  version: t.pointer(5, t.string, { go: 'VersionValue' }),
  ints: t.optional(6, t.atomicList(t.int64), { go: 'IntValues', gate: 'DRAListTypeAttributes' }),
  bools: t.optional(7, t.atomicList(t.bool), { go: 'BoolValues', gate: 'DRAListTypeAttributes' }),
  strings: t.optional(8, t.atomicList(t.string), { go: 'StringValues', gate: 'DRAListTypeAttributes' }),
  versions: t.optional(9, t.atomicList(t.string), { go: 'VersionValues', gate: 'DRAListTypeAttributes' }),
});
export interface DeviceAttribute extends t.Static<typeof DeviceAttribute> {}
