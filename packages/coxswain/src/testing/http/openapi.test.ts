import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { createCluster } from '../create-cluster.ts';
import { verbsOf } from '../faults/fault-rules.ts';
import { testingOf } from './testing-calls.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: {
      readonly Fault: { readonly properties: { readonly action: { readonly enum: readonly string[] } } };
    };
  };
}

const file = path.resolve(import.meta.dirname, '../../../../../clients/openapi.yaml');
const document = load(readFileSync(file, 'utf8')) as Document;
const methods = new Set(['get', 'post', 'delete', 'put', 'patch']);

test('the OpenAPI document has every call, and no other', async () => {
  const described = Object.entries(document.paths).flatMap(([url, operations]) =>
    Object.keys(operations)
      .filter((name) => methods.has(name))
      // The clock has only one action.
      .map((method) => `${method.toUpperCase()} ${url.slice(1).replaceAll(/\{\w+\}|advance/g, '*')}`),
  );
  const cluster = await createCluster({ nodes: 0, controllers: false });
  expect(described.toSorted()).toEqual(Object.keys(testingOf(cluster).calls).toSorted());
});

test('it has all actions of faults', () => {
  expect(document.components.schemas.Fault.properties.action.enum).toEqual(
    expect.arrayContaining(Object.keys(verbsOf)),
  );
});
