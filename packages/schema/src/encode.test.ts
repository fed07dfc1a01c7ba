import { describe, expect, test } from 'vitest';
import { App, Zoo } from '../test/sample-types.ts';
import { compileCustomType, decode, encode, encodeWithVersionGap } from './index.ts';

describe('the text', () => {
  test("has upstream's escapes", () => {
    const { object } = decode(Zoo.type, '{"data":{"k":"<b>&</b>\\u2028\\u0001\\t\\/\\u00e9\\ud83d\\ude00"}}');

    expect(encode(Zoo.type, object)).toContain(
      '"data":{"k":"\\u003cb\\u003e\\u0026\\u003c/b\\u003e\\u2028\\u0001\\t/é😀"}',
    );
  });

  test('has the rules of presence for modified objects too', () => {
    const { object } = decode(App.type, '{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c"}]}}');
    object.metadata.labels = {};
    object.spec.paused = false;
    object.spec.tolerations = [];
    object.spec.replicas = 0;

    expect(encode(App.type, object)).toBe(
      '{"metadata":{"name":"a"},"spec":{"replicas":0,"containers":[{"name":"c","resources":{}}],"strategy":{}},"status":{"ready":0,"started":null}}',
    );
  });

  test('has declared order and sorted maps whatever the object has', () => {
    const text = encode(App.type, {
      spec: { containers: [] },
      metadata: { labels: { b: '1', a: '2' }, name: 'x' },
    });

    expect(text).toMatch(/^\{"metadata":\{"name":"x","labels":\{"a":"2","b":"1"\}\},"spec":/);
  });

  test('omits members that the kind does not have', () => {
    expect(encode(App.type, { metadata: {}, extra: 1 })).not.toContain('extra');
  });
});

describe('the gap for the resource version', () => {
  const filled = ({ text, gap }: { text: string; gap: number }): string =>
    `${text.slice(0, gap)}"resourceVersion":"7",${text.slice(gap)}`;

  test('is where the version of the object would stand', () => {
    const object = {
      metadata: {
        name: 'a',
        namespace: 'n',
        uid: 'u',
        resourceVersion: '7',
        generation: 1,
        creationTimestamp: '2026-01-02T03:04:05Z',
      },
      spec: { containers: [] },
    };

    expect(filled(encodeWithVersionGap(App.type, object))).toBe(encode(App.type, object));
  });

  test('is there for custom resources, whose members are sorted', () => {
    const type = compileCustomType({ group: 'example.com', version: 'v1', kind: 'Foo' }, undefined);
    const object = { spec: { a: 1 }, data: 'x', metadata: { uid: 'u', resourceVersion: '7', name: 'a' } };

    expect(filled(encodeWithVersionGap(type, object))).toBe(encode(type, object));
  });

  test('is none when nothing follows it', () => {
    expect(encodeWithVersionGap(App.type, { metadata: { name: 'a' } }).gap).toBe(-1);
  });
});
