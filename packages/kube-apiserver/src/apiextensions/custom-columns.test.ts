import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { as, type AnyObject } from '../groups/any-object.ts';
import { customColumns } from './custom-columns.ts';

/** Recorded from upstream's server: type, path, and the cells of all objects. See test/differential/jsonpath.ts. */
interface Recorded {
  readonly specs: readonly unknown[];
  readonly columns: readonly (readonly [string, string, readonly unknown[]])[];
}

const { specs, columns } = JSON.parse(
  readFileSync(new URL('testdata/columns.json', import.meta.url), 'utf8'),
) as Recorded;
const nowMs = Date.parse('2026-01-01T00:00:00Z');

/** A column with an invalid path ends the table; its cells were recorded as nulls. */
const cellsOf = (type: string, jsonPath: string): unknown[] => {
  const column = customColumns([{ name: 'C', type, jsonPath }])[1];
  return specs.map(
    (spec) => column?.cell(as<AnyObject>({ kind: 'Sample', metadata: {}, spec }), nowMs) ?? null,
  );
};

const asJson = (cells: readonly unknown[]) =>
  cells.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell));

test(`the cells of ${columns.length} columns are those of the original`, () => {
  for (const [type, jsonPath, expected] of columns) {
    expect.soft(asJson(cellsOf(type, jsonPath)), `${type} ${jsonPath}`).toEqual(expected);
  }
});

test.each([
  ['.status.conditions[?(@.type=="Ready")].status', 'True'],
  [".metadata.annotations['example\\.com/note']", 'read me'],
  ['.metadata.labels.app\\.kubernetes\\.io/name', 'web'],
  ['.spec.ports[-1].port', '443'],
  ['.spec.ports[*].port', '80'],
  ['.spec.ports[?(@.name!="http")].port', '443'],
  ['.spec.ports', '[{"name":"http","port":80},{"name":"https","port":443}]'],
])('a column shows the first that %s finds', (jsonPath, expected) => {
  const object = as<AnyObject>({
    metadata: {
      annotations: { 'example.com/note': 'read me' },
      labels: { 'app.kubernetes.io/name': 'web' },
    },
    spec: {
      ports: [
        { name: 'http', port: 80 },
        { name: 'https', port: 443 },
      ],
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect(customColumns([{ name: 'C', type: 'string', jsonPath }])[1]?.cell(object, nowMs)).toBe(expected);
});

test('a column that can not be read ends the table', () => {
  const named = (name: string, jsonPath: string) => ({ name, type: 'string', jsonPath });
  const columns = customColumns([named('A', '.spec.a'), named('B', '.spec.b['), named('C', '.spec.c')]);
  expect(columns.map(({ name }) => name)).toEqual(['Name', 'A']);
});

test('invalid dates are shown and affect nothing else', () => {
  const [, date] = customColumns([{ name: 'D', type: 'date', jsonPath: '.spec.when' }]);
  const ageOf = (when: unknown) => date?.cell(as<AnyObject>({ metadata: {}, spec: { when } }), nowMs);
  expect(['2025-12-31T23:59:00Z', '', 'null', 'tomorrow', 7].map(ageOf)).toEqual([
    '60s',
    '<unknown>',
    '<unknown>',
    '<invalid>',
    undefined,
  ]);
});
