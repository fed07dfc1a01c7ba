/** A short run of `npm run fuzz`. */
import { expect, test } from 'vitest';
import { testUsers } from '../oracle/play.ts';
import { recordedServer } from '../oracle/replay.ts';
import { fuzzedResources, isOwnFault, requestsOf, sendFuzzed, type FuzzedAnswer } from './random-requests.ts';

const seed = 20;

test('random requests to every resource are never the fault of the server', async () => {
  const server = await recordedServer();
  const admin = { name: 'admin', groups: testUsers.admin.groups };
  const transport = server.inProcess(admin, { structured: false });
  const faults: FuzzedAnswer[] = [];
  for (const resource of fuzzedResources(server.chain)) {
    for (const request of requestsOf(resource, seed)) {
      const answer = await sendFuzzed(transport, request);
      if (isOwnFault(answer)) faults.push(answer);
    }
  }
  await server.stop();

  expect(faults).toEqual([]);
});
