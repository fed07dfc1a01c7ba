/** A custom resource with every kind of list and map, in two versions. */
import type { JsonObject } from './fragment.ts';
import type { Subject } from './step.ts';

export function widgets(namespace: string): { crd: string; subject: Subject } {
  const group = `${namespace}.example.com`;
  return {
    crd: `widgets.${group}`,
    subject: {
      collections: Object.fromEntries(
        ['v1', 'v2'].map((version) => [
          `${group}/${version}`,
          `/apis/${group}/${version}/namespaces/${namespace}/widgets`,
        ]),
      ),
      name: 'widgets',
      kind: 'Widget',
      donors: widgetDonors,
      hasStatus: true,
      hasScale: false,
      isCustom: true,
    },
  };
}

const item = (more: JsonObject): JsonObject => ({
  type: 'object',
  properties: {
    name: { type: 'string' },
    port: { type: 'integer' },
    protocol: { type: 'string', default: 'TCP' },
    note: { type: 'string' },
  },
  ...more,
});

export const widgetSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        size: { type: 'integer', default: 3 },
        note: { type: 'string', nullable: true },
        either: { 'x-kubernetes-int-or-string': true },
        plain: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        numbers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
        byName: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: item({ required: ['name'] }),
        },
        byPort: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: item({ required: ['port'] }),
        },
        atomicMap: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          additionalProperties: { type: 'string' },
        },
        atomicStruct: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
        },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        deep: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: { a: { type: 'string' }, b: { type: 'integer', default: 1 } },
          },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        selector: {
          type: 'object',
          properties: { a: { type: 'object', properties: { x: { type: 'string' } } }, b: { type: 'string' } },
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        phase: { type: 'string' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: {
            type: 'object',
            required: ['type'],
            properties: { type: { type: 'string' }, status: { type: 'string' } },
          },
        },
      },
    },
  },
};

export function widgetDefinition(namespace: string): JsonObject {
  const { crd } = widgets(namespace);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crd },
    spec: {
      group: `${namespace}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: widgetSchema },
        subresources: { status: {} },
      })),
    },
  };
}

export const widgetDonors: readonly JsonObject[] = [
  {
    metadata: {},
    spec: {
      count: 1,
      note: 'n',
      either: 5,
      plain: ['a', 'b', 'c'],
      set: ['a', 'b', 'c', 'd'],
      numbers: [1, 2, 3],
      byName: [{ name: 'a', port: 1, note: 'x' }, { name: 'b', port: 2 }, { name: 'c' }],
      byPort: [{ port: 80, name: 'a' }, { port: 80, protocol: 'UDP', name: 'b' }, { port: 443 }],
      atomicMap: { a: '1', b: '2' },
      atomicStruct: { a: 'x' },
      map: { a: '1', b: '2', c: '3' },
      deep: { x: { a: '1' }, y: { b: 3 }, z: {} },
      free: { any: { thing: [1, { a: 1 }], other: 'x' }, list: ['a'] },
      selector: { a: { x: '1' }, b: '2' },
    },
    status: {
      phase: 'Ready',
      conditions: [
        { type: 'A', status: 'True' },
        { type: 'B', status: 'False' },
      ],
    },
  },
  {
    metadata: {},
    spec: {
      size: 4,
      note: null,
      either: '50%',
      plain: ['c'],
      set: ['d', 'b', 'e'],
      numbers: [3, 4],
      byName: [
        { name: 'c', note: 'last' },
        { name: 'a', note: 'y' },
        { name: 'd', protocol: 'UDP' },
      ],
      byPort: [{ port: 443, protocol: 'TCP', note: 'n' }, { port: 8080 }],
      atomicMap: { c: '3' },
      atomicStruct: { a: 'y', b: 'z' },
      map: { c: '4', d: '5' },
      deep: { x: { a: '2', b: 2 }, w: {} },
      free: { any: { thing: [2], more: { deep: {} } } },
      selector: {},
    },
    status: {
      phase: 'Gone',
      conditions: [
        { type: 'B', status: 'True' },
        { type: 'C', status: 'False' },
      ],
    },
  },
];
