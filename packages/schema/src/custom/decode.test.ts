import { describe, expect, test } from 'vitest';
import { applyDefaults, compileCustomType, decode, encode } from '../index.ts';

const Widget = compileCustomType(
  { group: 'example.com', version: 'v1', kind: 'Widget' },
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer', default: 3, minimum: 1 },
          ratio: { type: 'number' },
          note: { type: 'string', nullable: true },
          list: {
            type: 'array',
            items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
          },
          anything: {
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { labels: { type: 'array', items: { type: 'string' } } },
          },
          open: {
            type: 'array',
            'x-kubernetes-preserve-unknown-fields': true,
            items: { type: 'object', properties: { closed: { type: 'object' } } },
          },
          matrix: {
            type: 'array',
            'x-kubernetes-preserve-unknown-fields': true,
            items: { type: 'array', items: { type: 'object' } },
          },
          free: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { strict: { type: 'object' } },
          },
          tags: { type: 'object', additionalProperties: { type: 'string' } },
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
    },
  },
);

describe('a custom resource', () => {
  test('loses values where the schema has neither members nor items', () => {
    const { object, problems } = decode(
      Widget,
      '{"spec":{"size":{"a":1},"list":{"b":2},"tags":[{"c":3},[{"d":4}]],"free":[{"e":5}],"ratio":[1]}}',
    );

    expect(object).toMatchObject({
      spec: { size: {}, list: {}, tags: [{}, [{}]], free: [{ e: 5 }], ratio: [1] },
    });
    expect(problems).toEqual([
      'unknown field "spec.list.b"',
      'unknown field "spec.size.a"',
      'unknown field "spec.tags[0].c"',
      'unknown field "spec.tags[1][0].d"',
    ]);
  });

  test('keeps unknown members of the elements of a list that preserves them, and not further below', () => {
    const { object, problems } = decode(
      Widget,
      '{"spec":{"open":[{"a.b":{"c":1},"closed":{"d":1}}],"matrix":[[{"e":{"f":1}}]]}}',
    );

    expect(object).toMatchObject({
      spec: { open: [{ 'a.b': { c: 1 }, closed: {} }], matrix: [[{ e: { f: 1 } }]] },
    });
    expect(problems).toEqual(['unknown field "spec.open[0].closed.d"']);
  });

  test.each([
    ['"text"', 'text', []],
    ['{"more":{"b":1}}', { more: { b: 1 } }, []],
    ['{"labels":[{"c":1}]}', { labels: [{}] }, ['unknown field "spec.anything.labels[0].c"']],
  ])('keeps %s where anything is allowed, except what a named member lacks', (text, anything, problems) => {
    expect(decode(Widget, `{"spec":{"anything":${text}}}`)).toMatchObject({
      object: { spec: { anything } },
      problems,
    });
  });

  test('is written with sorted members', () => {
    const { object } = decode(
      Widget,
      '{"spec":{"tags":{"b":"1","a":"2"},"size":1},"kind":"Widget","apiVersion":"example.com/v1"}',
    );

    expect(encode(Widget, object)).toBe(
      '{"apiVersion":"example.com/v1","kind":"Widget","spec":{"size":1,"tags":{"a":"2","b":"1"}}}',
    );
  });

  test('loses members that its schema does not have, and reports them', () => {
    const { object, problems } = decode(
      Widget,
      '{"metadata":{"name":"a","pet":"b","nickname":"b"},"spec":{"embedded":{"metadata":{"odd":1}},"gone":1,"list":[{"b":1}],"free":{"x":1,"strict":{"y":1}},"size":1,"size":2},"extra":{}}',
    );

    expect(problems).toEqual([
      'duplicate field "spec.size"',
      'unknown field "metadata.nickname"',
      'unknown field "metadata.pet"',
      'unknown field "extra"',
      'unknown field "spec.free.strict.y"',
      'unknown field "spec.gone"',
      'unknown field "spec.list[0].b"',
      'unknown field "spec.embedded.metadata.odd"',
    ]);
    expect(object).toEqual({
      metadata: { name: 'a' },
      spec: { embedded: { metadata: {} }, free: { strict: {}, x: 1 }, list: [{}], size: 2 },
    });
  });

  test('keeps a null only where the schema allows it', () => {
    const { object } = decode(Widget, '{"spec":{"size":null,"note":null}}');
    applyDefaults(Widget, object);

    expect(object).toEqual({ spec: { note: null, size: 3 } });
  });

  test('has empty metadata within, where that is null', () => {
    const { object } = decode(Widget, '{"spec":{"embedded":{"apiVersion":"v1","kind":"A","metadata":null}}}');

    expect(object).toEqual({ spec: { embedded: { apiVersion: 'v1', kind: 'A', metadata: {} } } });
  });

  test('gets the defaults of its schema, in lists too', () => {
    const { object } = decode(Widget, '{"spec":{"list":[{}]}}');
    applyDefaults(Widget, object);

    expect(object).toEqual({ spec: { list: [{ a: 'x' }], size: 3 } });
  });

  test.each([
    ['9007199254740993', '9007199254740993'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['1e21', '1e+21'],
    ['0.1234567890123456789', '0.12345678901234568'],
  ])('has the number %s as %s', (number, text) => {
    expect(encode(Widget, decode(Widget, `{"spec":{"ratio":${number}}}`).object)).toBe(
      `{"spec":{"ratio":${text}}}`,
    );
  });

  test('keeps a value of a wrong type for validation to tell, but not in its metadata', () => {
    expect(decode(Widget, '{"spec":{"size":"big"}}').object).toEqual({ spec: { size: 'big' } });
    expect(() => decode(Widget, '{"metadata":{"name":true}}')).toThrow(
      'json: cannot unmarshal bool into Go struct field ObjectMeta.name of type string',
    );
  });

  test('has the metadata of an embedded resource read strictly', () => {
    const { problems } = decode(
      Widget,
      '{"spec":{"embedded":{"apiVersion":"v1","metadata":{"odd":1},"any":1}}}',
    );

    expect(problems).toEqual(['unknown field "spec.embedded.metadata.odd"']);
  });
});
