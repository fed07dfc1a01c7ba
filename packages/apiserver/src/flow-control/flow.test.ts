import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { parseRequestInfo } from '../request-info.ts';
import { FlowController } from './flow-controller.ts';
import { exemptLevel, limitedLevel, schemaFor } from './flow-objects.fixture.ts';

test.each([
  ['system:nodes', 'node-high', true],
  ['system:nodes', 'workload-high', false],
  ['system:authenticated', 'exempt', false],
  ['system:unauthenticated', 'exempt', false],
  ['*', 'node-high', false],
])('requests of members of %s on level %s are urgent: %s', (group, level, isUrgent) => {
  const controller = new FlowController({ clock: new ManualClock(), metrics: new Metrics(), seatsTotal: 10 });
  controller.digest(
    [exemptLevel(), limitedLevel('node-high'), limitedLevel('workload-high')],
    [schemaFor('some', level, { groups: [group], precedence: 2 })],
  );
  const user = { name: 'somebody', groups: [group] };
  const flow = controller.flowOf(parseRequestInfo('GET', '/livez', ''), user);

  expect(flow).toMatchObject({ name: 'some', isUrgent });
});
