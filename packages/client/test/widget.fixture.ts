import { customKind, type ObjectOf } from '@coxswain/client';

/** A definition that uses every feature of schemas. */
export const Widget = customKind({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer' },
                  color: { type: 'string', enum: ['red', 'blue'] },
                  mode: { type: 'string', default: 'fast' },
                  port: { 'x-kubernetes-int-or-string': true },
                  parts: {
                    type: 'array',
                    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
                  },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                  until: { type: 'string', nullable: true },
                  anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', properties: { ready: { type: 'boolean' } } },
            },
          },
        },
      },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
export type Widget = ObjectOf<typeof Widget>;
