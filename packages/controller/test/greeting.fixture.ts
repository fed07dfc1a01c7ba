import { customKind, type ObjectOf } from '@coxswain/client';

/** A kind whose objects request a ConfigMap of the same name with a text; has a status. */
export const Greeting = customKind({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'greetings.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'greetings', kind: 'Greeting' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { text: { type: 'string' }, from: { type: 'string' } },
              },
              status: { type: 'object', properties: { said: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
});
export type Greeting = ObjectOf<typeof Greeting>;
