/** Values that a field may be given: some that are fine, most that are not. */
import { resolved, type ScalarType, type Type } from '@coxswain/schema';

/** Go writes this differently for its types of text (as JSON) and for plain text (quoted). */
const markup = '<&>\u0001';
const texts = ['', 'a', 'Not Valid!', 'a/b', '../a', 'a'.repeat(300), markup];

const scalarSamples: Readonly<Record<ScalarType['scalar'], readonly unknown[]>> = {
  string: texts,
  bool: [true, false],
  int32: [0, 1, -1, 70_000, 2_147_483_647],
  int64: [0, 1, -1, 9_007_199_254_740_991],
  float64: [0, -1.5],
  bytes: ['', 'YQ==', '!!'],
  quantity: ['0', '1', '-1', '1.5', '1m', 'abc'],
  intOrString: [0, 1, -1, 70_000, '', '50%', '150%', 'a', 'Not Valid!'],
  time: ['2020-01-01T00:00:00Z', '2020-01-01T02:00:00.987654321+02:00', '2020-01-01T00:00:00', 'yesterday'],
  microTime: [
    '2020-01-01T00:00:00.000000Z',
    '2020-01-01T00:00:00.1Z',
    '2020-01-01T02:00:00.987654+02:00',
    '2020-01-01T00:00:00.987654321Z',
    '2020-01-01T00:00:00Z',
    'yesterday',
  ],
  duration: ['1m', '0s', '-1m', '1h30m', '1.5h', '90s', '1us', '1.5us', '', '1d', 'soon'],
  rawExtension: [{}, { apiVersion: 'v1', kind: 'ConfigMap' }, 'text'],
  fieldsV1: [{}],
  any: [{}, { a: 1 }, 'text', 1],
};

/** All samples of a type; structs come from `depth` levels of their members, one filled at a time. */
export function samplesOf(type: Type, depth: number): readonly unknown[] {
  const actual = resolved(type);
  switch (actual.form) {
    case 'scalar':
      return actual.values === undefined
        ? scalarSamples[actual.scalar]
        : ['', ...actual.values, 'Bogus', markup];
    case 'list':
      return [[], ...samplesOf(actual.element, depth).map((element) => [element])];
    case 'map':
      return [
        {},
        ...['', 'Not Valid!', 'example.com/a'].map((key) => ({ [key]: plainSample(actual.value, 1) })),
        ...samplesOf(actual.value, depth - 1).map((value) => ({ a: value })),
      ];
    case 'struct': {
      if (depth <= 0) return [{}];
      const members = Object.entries(actual.fields).filter(([, { presence }]) => presence !== 'embedded');
      return [
        {},
        plainSample(actual, depth),
        ...members.flatMap(([name, field]) =>
          samplesOf(field.type, depth - 1).map((value) => ({ [name]: value })),
        ),
      ];
    }
  }
}

/** One likely value. */
function plainSample(type: Type, depth: number): unknown {
  const actual = resolved(type);
  switch (actual.form) {
    case 'scalar':
      return actual.values?.[0] ?? scalarSamples[actual.scalar][1];
    case 'list':
      return [plainSample(actual.element, depth)];
    case 'map':
      return { a: plainSample(actual.value, depth) };
    case 'struct':
      return Object.fromEntries(
        Object.entries(actual.fields)
          .filter(([, field]) => depth > 0 && field.required === true)
          .map(([name, field]) => [name, plainSample(field.type, depth - 1)]),
      );
  }
}
