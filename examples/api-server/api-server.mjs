/**
 * An API server for kinds of your own, without pods and nodes: names, validation, versions, watches, RBAC, kubectl and all
 * clients come with it.
 */

import { startCluster } from 'coxswain';

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['title', 'pages'],
      properties: {
        title: { type: 'string', minLength: 1 },
        pages: { type: 'integer', minimum: 1 },
        lent: { type: 'boolean', default: false },
      },
      'x-kubernetes-validations': [{ rule: 'self.pages < 10000', message: 'nobody reads that' }],
    },
  },
};

export const Book = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'books.library.example.com' },
  spec: {
    group: 'library.example.com',
    scope: 'Cluster',
    names: { plural: 'books', kind: 'Book' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};

export async function startLibrary() {
  const server = await startCluster({ nodes: 0, controllers: [], scheduler: false });
  const client = server.client();
  await client.apply(Book, { fieldManager: 'library' });
  return { books: client.resource('library.example.com/v1', 'books'), stop: () => server.stop() };
}
