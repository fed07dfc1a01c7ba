import { describe, expect, test } from 'vitest';
import { App, Container, Strategy } from '../test/sample-types.ts';
import {
  FragmentMaker,
  customOpenApiV3,
  definitionsOf,
  openApiV2,
  openApiV2Protobuf,
  openApiV3,
  openApiV3Protobuf,
  type DocumentOptions,
  type OpenApiGroupVersion,
} from './openapi.ts';
import { struct } from './type.ts';

const groupVersion: OpenApiGroupVersion = {
  group: 'test.k8s.io',
  version: 'v1',
  resources: [
    {
      plural: 'apps',
      kind: { group: 'test.k8s.io', version: 'v1', kind: 'App' },
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      type: App.type,
      listType: App.listType,
      subresources: [
        {
          name: 'status',
          kind: { group: 'test.k8s.io', version: 'v1', kind: 'App' },
          type: App.type,
          verbs: ['get', 'patch', 'update'],
        },
      ],
    },
  ],
};

function inV2(options: DocumentOptions): object {
  const { json } = openApiV2([new FragmentMaker('v2', options).ofGroupVersion(groupVersion)], options);
  return JSON.parse(Buffer.concat(json).toString());
}

describe('a definition', () => {
  test('in v3 has defaults and refers through allOf', () => {
    const definition = definitionsOf([Container], { dialect: 'v3' })['io.k8s.api.test.v1.Container'];

    expect(definition).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        args: { type: 'array', items: { type: 'string', default: '' }, 'x-kubernetes-list-type': 'atomic' },
        image: { type: 'string' },
        name: { type: 'string', default: '' },
        policy: { type: 'string' },
        ports: {
          type: 'array',
          items: { default: {}, allOf: [{ $ref: '#/components/schemas/io.k8s.api.test.v1.Port' }] },
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-patch-merge-key': 'port',
          'x-kubernetes-patch-strategy': 'merge',
        },
        resources: { default: {}, allOf: [{ $ref: '#/components/schemas/io.k8s.api.test.v1.Resources' }] },
        tty: { type: 'boolean' },
      },
    });
  });

  test('in v2 has neither', () => {
    const definition = definitionsOf([Strategy], { dialect: 'v2' })['io.k8s.api.test.v1.Strategy'];

    expect(definition).toEqual({
      type: 'object',
      properties: {
        rollingUpdate: { $ref: '#/definitions/io.k8s.api.test.v1.RollingUpdate' },
        type: { type: 'string' },
      },
    });
  });

  test('takes descriptions from the table it is given', () => {
    const descriptionOf = (_definition: string, member?: string): string => `about ${member ?? 'it'}`;
    const definition = definitionsOf([Strategy], { dialect: 'v2', descriptionOf })[
      'io.k8s.api.test.v1.Strategy'
    ];

    expect(definition).toMatchObject({
      description: 'about it',
      properties: { type: { description: 'about type' } },
    });
  });
});

describe('a document', () => {
  const options = { metaTypes: [struct('meta/v1.Status', {}), struct('meta/v1.Patch', {})], version: '1.36' };

  test('in v3 has a path and an operation for every verb, and the definitions that they refer to', () => {
    const document = openApiV3(groupVersion, options) as {
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: object };
    };

    expect(Object.keys(document.paths)).toEqual([
      '/apis/test.k8s.io/v1/',
      '/apis/test.k8s.io/v1/apps',
      '/apis/test.k8s.io/v1/namespaces/{namespace}/apps',
      '/apis/test.k8s.io/v1/namespaces/{namespace}/apps/{name}',
      '/apis/test.k8s.io/v1/namespaces/{namespace}/apps/{name}/status',
      '/apis/test.k8s.io/v1/watch/apps',
      '/apis/test.k8s.io/v1/watch/namespaces/{namespace}/apps',
      '/apis/test.k8s.io/v1/watch/namespaces/{namespace}/apps/{name}',
    ]);
    const one = document.paths['/apis/test.k8s.io/v1/namespaces/{namespace}/apps/{name}']!;
    expect(['get', 'put', 'delete', 'patch'].map((method) => one[method]?.operationId)).toEqual([
      'readTestV1NamespacedApp',
      'replaceTestV1NamespacedApp',
      'deleteTestV1NamespacedApp',
      'patchTestV1NamespacedApp',
    ]);
    expect(Object.keys(document.components.schemas)).toContain('io.k8s.apimachinery.pkg.apis.meta.v1.Status');
  });

  test('in v2 has the same paths', () => {
    const paths = (document: object): string[] => Object.keys((document as { paths: object }).paths);

    expect(paths(inV2(options))).toEqual(paths(openApiV3(groupVersion, options)));
  });
});

test('a v2 document writes shared parameters once', () => {
  const document = inV2({ metaTypes: [], version: '1.36' }) as {
    paths: Record<string, { post: { parameters: object[] } }>;
    parameters: Record<string, object>;
  };
  const [body, dryRun, manager] =
    document.paths['/apis/test.k8s.io/v1/namespaces/{namespace}/apps']!.post.parameters;

  expect([body, dryRun]).toMatchObject([{ name: 'body' }, { name: 'dryRun' }]);
  const { $ref } = manager as { $ref: string };
  expect(document.parameters[$ref.slice('#/parameters/'.length)]).toMatchObject({
    name: 'fieldManager',
    in: 'query',
  });
});

test('a v3 document in protobuf is the message that kubectl reads', () => {
  const document = {
    openapi: '3.0.0',
    info: { title: 'T', version: '1' },
    paths: {},
    components: { schemas: { A: { type: 'object', properties: { b: { $ref: '#/c' } }, 'x-y': [1] } } },
  };

  expect(Buffer.from(openApiV3Protobuf(document)).toString('hex')).toBe(
    [
      '0a05332e302e30', // openapi
      '12060a0154320131', // info: title, version
      '2200', // paths
      '2a370a330a310a0141', // components, schemas, one of the name A
      '122c0a2a', // no reference but a schema
      'ca01066f626a656374', // type
      'fa010e0a0c0a0162120712050a03232f63', // properties: b, a reference
      'a2020d0a03782d79120612045b315d0a', // extensions: x-y, as YAML
      '3a00', // security schemes
    ].join(''),
  );
});

test('a v2 document in protobuf has members whose names begin like extensions', () => {
  const schema = { type: 'object', properties: { 'x-kubernetes-map-type': { type: 'string' } } };
  const document = { swagger: '2.0', definitions: { A: schema } };

  expect(Buffer.from(openApiV2Protobuf(document)).toString('latin1')).toContain('x-kubernetes-map-type');
});

describe('custom resources', () => {
  const options = { metaTypes: [], version: '1.36' };
  const identity = { group: 'test.k8s.io', version: 'v1' };
  const resources = ['apps', 'boats'].map((plural): OpenApiGroupVersion['resources'][number] => ({
    ...groupVersion.resources[0]!,
    plural,
    type: struct(`test.k8s.io/v1.${plural}`, {}),
    listType: struct(`test.k8s.io/v1.${plural}List`, {}),
    subresources: [],
    custom: {
      schema: { type: 'object', properties: { spec: { type: 'string', 'x-y': true } } },
      preserveUnknownFields: false,
      selectableFields: [],
    },
  }));

  test('of a group version are one document, whichever of them comes first', () => {
    const maker = new FragmentMaker('v3', options);
    const [apps, boats] = resources.map((resource) => maker.ofCustomResource(identity, resource));
    const document = customOpenApiV3([boats!, apps!]);
    const other = customOpenApiV3([apps!, boats!]);

    expect(Buffer.concat(other.json)).toEqual(Buffer.concat(document.json));
    const read = JSON.parse(Buffer.concat(document.json).toString());
    expect(Object.keys(read.paths)).toEqual([
      '/apis/test.k8s.io/v1/apps',
      '/apis/test.k8s.io/v1/boats',
      '/apis/test.k8s.io/v1/namespaces/{namespace}/apps',
      '/apis/test.k8s.io/v1/namespaces/{namespace}/apps/{name}',
      '/apis/test.k8s.io/v1/namespaces/{namespace}/boats',
      '/apis/test.k8s.io/v1/namespaces/{namespace}/boats/{name}',
    ]);
  });

  test('are the same in protobuf, joined or whole', () => {
    const v3 = new FragmentMaker('v3', options);
    const v2 = new FragmentMaker('v2', options);
    const documentV3 = customOpenApiV3(resources.map((one) => v3.ofCustomResource(identity, one)));
    const documentV2 = openApiV2(
      resources.map((one) => v2.ofCustomResource(identity, one)),
      options,
    );

    expect(Buffer.concat(documentV3.protobuf())).toEqual(
      Buffer.from(openApiV3Protobuf(JSON.parse(Buffer.concat(documentV3.json).toString()))),
    );
    expect(Buffer.concat(documentV2.protobuf())).toEqual(
      Buffer.from(openApiV2Protobuf(JSON.parse(Buffer.concat(documentV2.json).toString()))),
    );
  });
});
