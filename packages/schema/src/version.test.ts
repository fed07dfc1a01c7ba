import { describe, expect, test } from 'vitest';
import { kindIn, structIn } from './version.ts';
import { kind } from './kind.ts';
import { always, deferred, list, map, named, optional, string, struct, type Type } from './type.ts';

const Port = struct('net/v1.Port', { name: always(1, named('v1.PortName', string)) });
const Tree: Type = struct('net/v1.Tree', {
  ports: optional(1, list(Port)),
  next: optional(
    2,
    deferred(() => Tree),
  ),
});
const Spec = struct('net/v1.Spec', {
  ports: optional(1, list(Port)),
  named: optional(2, map(Port)),
  other: optional(3, struct('core/v1.Port', {})),
});
const Route = kind(
  'net/v1.Route',
  'net.example.com/v1',
  undefined,
  { spec: optional(1, Spec) },
  {
    columns: [],
    validate: () => [],
  },
);

describe('a struct in an older version', () => {
  test('takes along the structs of its own version, each once, and no others', () => {
    const { name, fields } = structIn('net/v1beta1', Spec);
    const port = structIn('net/v1beta1', Port);
    expect(name).toBe('net/v1beta1.Spec');
    expect(port.name).toBe('net/v1beta1.Port');
    expect(fields.ports!.type).toHaveProperty('element', port);
    expect(fields.named!.type).toHaveProperty('value', port);
    expect(fields.other?.type).toBe(Spec.fields.other.type);
  });

  test('has the names of its version in Go', () => {
    expect(structIn('net/v1beta1', Port).fields.name?.type).toMatchObject({ goName: 'v1beta1.PortName' });
  });

  test('may hold itself', () => {
    const tree = structIn('net/v1beta1', Tree as typeof Spec);
    const next = (tree.fields as { next?: { type: { resolve(): Type } } }).next?.type.resolve();
    expect(next).toBe(tree);
  });

  test('lacks removed fields, keeps the place of changed ones, and adds new ones at the end', () => {
    const fields = { later: optional(9, string), ports: optional(1, string) };
    const derived = structIn('net/v1beta1', Spec, { fields, without: ['named'] });
    expect(Object.keys(derived.fields)).toEqual(['ports', 'other', 'later']);
    expect(derived.fields.ports).toBe(fields.ports);
  });
});

test('a kind in an older version shares the behaviour that is named', () => {
  const older = kindIn('net/v1beta1', Route, { shared: ['columns'] }, { warnings: () => ['old'] });
  expect(older.apiVersion).toBe('net.example.com/v1beta1');
  expect(older.listType.name).toBe('net/v1beta1.RouteList');
  expect(Object.keys(older.behaviour)).toEqual(['columns', 'warnings']);
  expect(Object.keys(older.type.fields)).toEqual(['kind', 'apiVersion', 'spec']);
});

test('a kind in another group is of the group of its directory', () => {
  expect(kindIn('extensions/v1beta1', Route).apiVersion).toBe('extensions/v1beta1');
});
