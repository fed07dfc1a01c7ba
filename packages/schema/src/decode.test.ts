import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { App, valueOf, Zoo } from '../test/sample-types.ts';
import {
  decode,
  decodeCopy,
  decodeValue,
  encode,
  parseJson,
  restoreValue,
  typeMetaOf,
  type StructType,
} from './index.ts';

const decodeApp = (value: object) => decode(App.type, JSON.stringify(value));
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

describe('a decoded object', () => {
  test('has its members in declared order whatever their order was', () => {
    const { object } = decode(
      App.type,
      '{"spec":{"containers":[{"image":"i","name":"n"}]},"metadata":{"name":"a"},"kind":"App"}',
    );

    expect(Object.keys(object)).toEqual(['kind', 'metadata', 'spec', 'status']);
    expect(JSON.stringify(object.spec)).toBe(
      '{"containers":[{"name":"n","image":"i","resources":{}}],"strategy":{}}',
    );
  });

  test('lacks zero values of optional fields and has those of fields that are always there', () => {
    const { object } = decodeApp({
      metadata: { name: '', labels: {}, finalizers: [], generateName: null },
      spec: { paused: false, tolerations: [], containers: [] },
    });

    expect(object).toEqual({
      metadata: {},
      spec: { containers: null, strategy: {} },
      status: { ready: 0, started: null },
    });
  });

  test('keeps a pointer to zero', () => {
    expect(decodeApp({ spec: { replicas: 0 } }).object.spec.replicas).toBe(0);
  });

  test('has embedded structs inline', () => {
    const { object } = decodeApp({ spec: { volumes: [{ configMap: { name: 'c' }, name: 'v' }] } });

    expect(object.spec.volumes).toEqual([{ name: 'v', configMap: { name: 'c' } }]);
  });

  test('of null is empty', () => {
    expect(decode(App.type, 'null').object).toEqual(decode(App.type, '{}').object);
  });

  test('has a map sorted by key, and __proto__ as an ordinary one', () => {
    const { object } = decode(Zoo.type, '{"data":{"b":"2","__proto__":"x","a":null,"toString":"t"}}');

    expect(encode(Zoo.type, object)).toContain('"data":{"__proto__":"x","a":"","b":"2","toString":"t"}');
  });
});

describe('numbers', () => {
  test('beyond 2^53 survive', () => {
    const { object } = decode(Zoo.type, '{"count":9007199254740993}');

    expect(object.count).toBe(9007199254740993n);
    expect(encode(Zoo.type, object)).toContain('"count":9007199254740993');
  });

  test('of free-form values keep their digits', () => {
    const text = '{"z":9007199254740993,"a":1.0,"f":0.10,"e":1E5,"n":null,"list":[1,2.50,"x"]}';

    expect(encode(Zoo.type, decode(Zoo.type, `{"raw":${text}}`).object)).toContain(`"raw":${text}`);
  });

  test.each([
    ['5.0', 'json: cannot unmarshal number 5.0 into Go struct field Zoo.count of type int64'],
    ['1e3', 'json: cannot unmarshal number 1e3 into Go struct field Zoo.count of type int64'],
    [
      '9223372036854775808',
      'json: cannot unmarshal number 9223372036854775808 into Go struct field Zoo.count of type int64',
    ],
    ['+5', "invalid character '+' looking for beginning of value"],
    ['05', "invalid character '5' after object key:value pair"],
    ['"5"', 'json: cannot unmarshal string into Go struct field Zoo.count of type int64'],
  ])('an int64 refuses %s', (number, message) => {
    expect(refusal(() => decode(Zoo.type, `{"count":${number}}`))).toBe(message);
  });
});

describe("scalars are written in upstream's text", () => {
  test.each([
    ['2000', '2k'],
    ['0.5Gi', '512Mi'],
    ['1.50', '1500m'],
    ['+1', '+1'],
    ['Gi', '0'],
    ['1e3', '1e3'],
  ])('quantity %s → %s', (text, canonical) => {
    expect(decode(Zoo.type, JSON.stringify({ size: text })).object.size).toBe(canonical);
  });

  test('a quantity may be a number', () => {
    expect(decode(Zoo.type, '{"size":1048576}').object.size).toBe('1048576');
    expect(decode(Zoo.type, '{"size":0.1}').object.size).toBe('100m');
  });

  test.each([
    ['2020-01-02T03:04:05.999Z', '2020-01-02T03:04:05Z'],
    ['2020-01-02T03:04:05+02:00', '2020-01-02T01:04:05Z'],
    ['0001-01-01T00:00:00Z', null],
  ])('time %s → %s', (text, canonical) => {
    expect(decodeApp({ status: { started: text } }).object.status.started).toBe(canonical);
  });

  test('a pointer to the zero time is there and reads null, one to nothing is not', () => {
    const text = (seen: unknown): string => encode(App.type, decodeApp({ status: { seen } }).object);

    expect(text('0001-01-01T00:00:00.000000Z')).toContain('"seen":null');
    expect(text(null)).not.toContain('seen');
  });

  test('base64 is read and written anew', () => {
    expect(decode(Zoo.type, '{"blob":"A\\nA=="}').object.blob).toBe('AA==');
  });

  test('bytes may be a list of numbers', () => {
    expect(decode(Zoo.type, '{"binary":{"a":[89,81]}}').object.binary).toEqual({ a: 'WVE=' });
    expect(refusal(() => decode(Zoo.type, '{"binary":{"a":[256]}}'))).toBe(
      'json: cannot unmarshal number 256 into Go struct field Zoo.binary of type uint8',
    );
  });

  test('a lone surrogate becomes U+FFFD', () => {
    expect(decode(Zoo.type, '{"data":{"k":"\\ud800x"}}').object.data).toEqual({ k: '\ufffdx' });
  });

  test('invalid UTF-8 becomes U+FFFD, a byte each', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"data":{"k":"'),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('"}}'),
    ]);

    expect(decode(Zoo.type, bytes).object.data).toEqual({ k: '\ufffd\ufffd\ufffd' });
  });
});

describe("a value of a wrong type is refused with upstream's message", () => {
  test.each<[object, string]>([
    [{ spec: 'x' }, 'json: cannot unmarshal string into Go struct field App.spec of type v1.AppSpec'],
    [
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field AppSpec.spec.replicas of type int32',
    ],
    [
      { spec: { replicas: 2 ** 31 } },
      'json: cannot unmarshal number 2147483648 into Go struct field AppSpec.spec.replicas of type int32',
    ],
    [
      { spec: { containers: {} } },
      'json: cannot unmarshal object into Go struct field AppSpec.spec.containers of type []v1.Container',
    ],
    [
      { metadata: { labels: 'x' } },
      'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
    [
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      { spec: { paused: 'yes' } },
      'json: cannot unmarshal string into Go struct field AppSpec.spec.paused of type bool',
    ],
    [
      { spec: { containers: [{ ports: [{ target: true }] }] } },
      'json: cannot unmarshal bool into Go struct field Port.spec.containers.ports.target of type int32',
    ],
    [
      { spec: { volumes: [{ emptyDir: 'x' }] } },
      'json: cannot unmarshal string into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDir',
    ],
    [
      { status: { started: 0 } },
      'json: cannot unmarshal number into Go struct field AppStatus.status.started of type string',
    ],
    [
      { status: { started: '2020-02-30T00:00:00Z' } },
      'parsing time "2020-02-30T00:00:00Z": day out of range',
    ],
    [
      { status: { seen: '2020-01-02T03:04:05Z' } },
      'parsing time "2020-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ],
  ])('%j', (value, message) => {
    expect(refusal(() => decodeApp(value))).toBe(message);
    expect(refusal(() => decodeValue(App.type, value))).toBe(message);
  });

  test('the first of several is reported', () => {
    expect(refusal(() => decode(App.type, '{"spec":{"paused":1,"replicas":"x"}}'))).toContain(
      'AppSpec.spec.paused',
    );
  });

  test.each([
    [
      '{"size":"x"}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      '{"size":"1Q"}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ['{"size":"1ki"}', "unable to parse quantity's suffix"],
    ['{"binary":{"k":"A"}}', 'illegal base64 data at input byte 0'],
    ['[]', 'json: cannot unmarshal array into Go value of type v1.Zoo'],
  ])('%s', (text, message) => {
    expect(refusal(() => decode(Zoo.type, text))).toBe(message);
  });
});

describe('strict decoding', () => {
  test('reports unknown and duplicate members in the order of the input', () => {
    const { object, problems } = decode(
      App.type,
      '{"foo":1,"spec":{"containers":[{"name":"a","x":{}}],"replicas":1,"replicas":2},"metadata":{"name":"n"},"metadata":{"labels":{"a":"1","a":"2"}}}',
    );

    expect(problems).toEqual([
      'unknown field "foo"',
      'unknown field "spec.containers[0].x"',
      'duplicate field "spec.replicas"',
      'duplicate field "metadata"',
      'duplicate field "metadata.labels.a"',
    ]);
    expect(object.metadata).toEqual({ name: 'n', labels: { a: '2' } });
    expect(object.spec.replicas).toBe(2);
  });

  test('stops counting at a hundred', () => {
    const members = Array.from({ length: 150 }, (_, index) => `"x${index}":1`);

    expect(decode(App.type, `{${members.join(',')}}`).problems).toHaveLength(100);
  });
});

describe("invalid JSON is refused with upstream's message", () => {
  test.each([
    ['{"a":', 'unexpected end of JSON input'],
    ['', 'unexpected end of JSON input'],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"a":"x\ty"}', "invalid character '\\t' in string literal"],
    ['{"a":1}{', "invalid character '{' after top-level value"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ])('%j', (text, message) => {
    expect(refusal(() => decode(App.type, text))).toBe(message);
  });

  test('nesting that would exhaust the stack', () => {
    const text = `{"raw":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;

    expect(refusal(() => decode(Zoo.type, text))).toBe("invalid character '[' exceeded max depth");
    // The remaining stack decides whether a value is decoded or refused; nothing else may be thrown.
    expect(['no error', "invalid character '[' exceeded max depth"]).toContain(
      refusal(() => decodeValue(Zoo.type, JSON.parse(text))),
    );
  });
});

describe("an invalid result of a patch is refused with upstream's message", () => {
  test.each<[object, string]>([
    [{ metadata: { labels: ['a'] } }, 'cannot restore map from slice'],
    [{ spec: { containers: {} } }, 'cannot restore slice from map'],
    [{ spec: 'x' }, 'cannot restore struct from: string'],
    [{ spec: { replicas: 'x' } }, 'unrecognized type: int32'],
    [{ spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
    [{ metadata: { name: 1 } }, 'cannot convert int64 to string'],
    [{ spec: { paused: 1 } }, 'unrecognized type: bool'],
    [{ status: { started: 5 } }, 'json: cannot unmarshal number into Go value of type string'],
  ])('%j', (value, message) => {
    expect(refusal(() => restoreValue(App.type, value))).toBe(message);
  });

  test('unknown members are sorted, and the object is usable', () => {
    const { object, problems } = restoreValue(App.type, {
      x: 1,
      spec: { b: 1, a: 1, containers: [{ name: 'c', z: 1 }] },
    });

    expect(problems).toEqual([
      'unknown field "spec.a"',
      'unknown field "spec.b"',
      'unknown field "spec.containers[0].z"',
      'unknown field "x"',
    ]);
    expect(object.spec.containers).toEqual([{ name: 'c', resources: {} }]);
  });

  test('a part that was decoded before is shared, and nothing else is', () => {
    const live = decodeApp({ metadata: { labels: { a: 'b' } }, spec: { replicas: 3 } }).object;
    const patched = { ...live, status: { ready: 2 } };
    const { object } = restoreValue(App.type, patched, live.spec);

    expect(object.spec).toBe(live.spec);
    expect(object.metadata).not.toBe(live.metadata);
    expect(encode(App.type, object)).toBe(encode(App.type, restoreValue(App.type, patched).object));
  });
});

/** All objects and lists within a value. */
const partsOf = (value: unknown): readonly object[] =>
  typeof value !== 'object' || value === null ? [] : [value, ...Object.values(value).flatMap(partsOf)];

test('a decoded copy equals the decoded value, and shares nothing with it', () => {
  fc.assert(
    fc.property(valueOf(Zoo.type), (value) => {
      const { object, problems } = decodeCopy(Zoo.type, value);
      const otherwise = decodeValue(Zoo.type, structuredClone(value));

      expect(encode(Zoo.type, object)).toBe(encode(Zoo.type, otherwise.object));
      expect(problems).toEqual(otherwise.problems);
      expect(new Set(partsOf(object)).isDisjointFrom(new Set(partsOf(value)))).toBe(true);
    }),
  );
});

test('a copy that the exact decoder has to make has nothing of the value in it either', () => {
  const raw = { kind: 'Any', list: [{}] };
  const { object, problems } = decodeCopy(Zoo.type, { raw, unknown: 1 });

  expect(problems).toEqual(['unknown field "unknown"']);
  expect(object.raw).toEqual(raw);
  expect(object.raw).not.toBe(raw);
});

test('an empty list of objects stays empty', () => {
  expect(encode(App.listType, decode(App.listType, '{"items":[]}').object)).toBe(
    '{"metadata":{},"items":[]}',
  );
});

test('nesting of 900 levels is fine', () => {
  const text = `{"raw":${'{"a":'.repeat(900)}1${'}'.repeat(900)}}`;

  expect(encode(Zoo.type, decode(Zoo.type, text).object)).toContain(text.slice(1, -1));
});

test('type meta of a wrong type is refused', () => {
  expect(typeMetaOf(parseJson('{"apiVersion":"v1","kind":"A"}'))).toEqual({ apiVersion: 'v1', kind: 'A' });
  expect(refusal(() => typeMetaOf(parseJson('{"kind":5}')))).toBe(
    'json: cannot unmarshal number into Go struct field .kind of type string',
  );
  expect(refusal(() => typeMetaOf(parseJson('"pod"')))).toContain(
    'json: cannot unmarshal string into Go value of type struct {',
  );
});

describe.each<{ kind: string; type: StructType }>([App, Zoo])('for any $kind', ({ type }) => {
  test('an encoded object decodes to the same', () => {
    fc.assert(
      fc.property(valueOf(type), (value) => {
        const { object } = decode(type, JSON.stringify(value));

        expect(decode(type, encode(type, object))).toEqual({ object, problems: [] });
      }),
    );
  });

  test('plain values decode as their text does, and are left as they were', () => {
    fc.assert(
      fc.property(valueOf(type), (value) => {
        const text = JSON.stringify(value);

        expect(encode(type, decodeValue(type, value).object)).toBe(encode(type, decode(type, text).object));
        expect(JSON.stringify(value)).toBe(text);
      }),
    );
  });

  test('the exact decoder agrees with the fast one', () => {
    fc.assert(
      fc.property(valueOf(type), (value) => {
        const text = JSON.stringify(value);
        // An unknown member makes the exact decoder handle the text.
        const { object, problems } = decode(type, text === '{}' ? '{"?":0}' : `{"?":0,${text.slice(1)}`);

        expect(problems).toEqual(['unknown field "?"']);
        expect(encode(type, object)).toBe(encode(type, decode(type, text).object));
      }),
    );
  });
});
