import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { parseRequestInfo } from '../request-info.ts';
import { FlowController } from './flow-controller.ts';
import { exemptLevel, limitedLevel, schemaFor } from './flow-objects.fixture.ts';

const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1';

test.each([
  ['system:nodes', 'node-high', lease, true],
  ['system:nodes', 'node-high', '/apis/authentication.k8s.io/v1/tokenreviews', false],
  ['system:nodes', 'node-high', '/apis/authorization.k8s.io/v1/subjectaccessreviews', false],
  ['system:nodes', 'workload-high', lease, false],
  ['system:authenticated', 'exempt', '/livez', false],
  ['system:unauthenticated', 'exempt', '/livez', false],
  ['*', 'node-high', lease, false],
])('whether requests of %s on level %s for %s are urgent: %s', (group, level, path, isUrgent) => {
  const controller = new FlowController({ clock: new ManualClock(), metrics: new Metrics(), seatsTotal: 10 });
  controller.digest(
    [exemptLevel(), limitedLevel('node-high'), limitedLevel('workload-high')],
    [schemaFor('some', level, { groups: [group], precedence: 2 })],
  );
  const info = parseRequestInfo('POST', path, '');
  const flow = controller.flowOf(info, { name: 'somebody', groups: [group] });

  expect(flow.name).toBe('some');
  expect(flow.isUrgent(info)).toBe(isUrgent);
});
