/** What `kubectl explain` has to say: the descriptions that the build reads from npm packages. */
import { definitionName } from '@coxswain/schema/openapi/names.ts';
import { shapeOf } from '@coxswain/schema/shape.ts';
import { expect, test } from 'vitest';
import { allStructs, describedTypes } from '../scripts/descriptions.ts';

const described = describedTypes();
/** Of groups that are long gone, or only spoken with webhooks, no package tells anything. */
const known = [...allStructs()].filter(({ name }) => described[definitionName(name)]?.[''] !== undefined);
const fields = known.flatMap((struct) =>
  shapeOf(struct).members.map(({ name }) => ({ definition: definitionName(struct.name), name })),
);

/** Kubernetes itself says nothing of the fields of JSON schemas, and nobody of fields that only old versions have. */
const isSchema = (definition: string) => definition.endsWith('.JSONSchemaProps');
const undescribedMax = 60;

test('hardly any field of a built-in type is without a description', () => {
  const undescribed = fields.filter(
    ({ definition, name }) => !described[definition]?.[name] && !isSchema(definition),
  );
  expect(fields.length).toBeGreaterThan(2000);
  expect(undescribed.length).toBeLessThan(undescribedMax);
});

test.each([
  ['a field that leads to a struct', 'io.k8s.api.apps.v1.Deployment', 'spec'],
  ['the metadata of a kind newer than the older package', 'io.k8s.api.resource.v1.DeviceClass', 'metadata'],
  ['the metadata of a list', 'io.k8s.api.networking.v1.ServiceCIDRList', 'metadata'],
  ['a field of an older version', 'io.k8s.api.resource.v1beta1.ResourceClaimSpec', 'devices'],
  ['a type that is no struct here', 'io.k8s.apimachinery.pkg.apis.meta.v1.Time', ''],
])('%s is described', (_what, definition, name) => {
  expect(described[definition]?.[name]).toMatch(/\w+ \w+/);
});

test('a field is described by itself, and not by the scalar that it holds', () => {
  expect(described['io.k8s.api.core.v1.TCPSocketAction']?.['port']).not.toMatch(/^IntOrString/);
  expect(described['io.k8s.api.coordination.v1.LeaseSpec']?.['renewTime']).not.toMatch(/^MicroTime/);
});
