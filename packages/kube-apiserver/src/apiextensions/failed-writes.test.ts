import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, expect, test } from 'vitest';
import { gadgetDefinition } from '../testing/gadgets.ts';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
afterEach(() => server.stop());

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

test.each([
  {
    what: "a definition's status",
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions/status',
    isWritten: async () => {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.example.com';
      return (await server.send('GET', path)).text.includes('"type":"Established","status":"True"');
    },
  },
  {
    what: 'the APIService of a version',
    group: 'apiregistration.k8s.io',
    resource: 'apiservices',
    isWritten: async () => {
      const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com';
      return (await server.send('GET', path)).status === 200;
    },
  },
])('$what that was refused is written once nobody refuses it', async ({ group, resource, isWritten }) => {
  const clock = new ManualClock();
  server = await startedServer({ clock });
  const rule = { apiGroups: [group], apiVersions: ['*'], operations: ['*'], resources: [resource] };
  await server.send('POST', policies, {
    metadata: { name: 'no' },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'false' }] },
  });
  const binding = { metadata: { name: 'no' }, spec: { policyName: 'no', validationActions: ['Deny'] } };
  await server.send('POST', bindings, binding);
  await clock.advance(1_000);

  await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', gadgetDefinition);
  await clock.advance(1_000);
  expect(await isWritten()).toBe(false);
  await server.send('DELETE', `${bindings}/no`);
  await clock.advance(10_000);
  expect(await isWritten()).toBe(true);
});
