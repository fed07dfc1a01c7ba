/**
 * `npm run fuzz -- [--seeds N] [--first SEED] [--group TEXT] [--all]`: sends random requests to an in-process server
 * and prints every response with a status of 500 or more, once for each message. Exit status 1 if there was one.
 */
import { parseArgs } from 'node:util';
import { testUsers } from '../oracle/play.ts';
import { recordedServer } from '../oracle/replay.ts';
import { fuzzedResources, isOwnFault, requestsOf, sendFuzzed } from './random-requests.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    first: { type: 'string', default: '1' },
    group: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
  },
});
const server = await recordedServer(
  values.all ? { runtimeConfig: { 'api/legacy': true, 'api/all': true } } : {},
);
const transport = server.inProcess({ name: 'admin', groups: testUsers.admin.groups }, { structured: false });
const seen = new Map<string, number>();
let sent = 0;
for (const resource of fuzzedResources(server.chain)) {
  if (!resource.path.includes(values.group)) continue;
  for (let seed = Number(values.first); seed < Number(values.first) + Number(values.seeds); seed++) {
    for (const request of requestsOf(resource, seed)) {
      const answer = await sendFuzzed(transport, request);
      sent += 1;
      if (!isOwnFault(answer)) continue;
      const what = `${answer.status} ${answer.message.replaceAll(/[0-9]+/g, 'N')}`;
      if (!seen.has(what)) {
        console.log(
          `${answer.method} ${answer.path} (${answer.contentType}, seed ${seed})\n  ${answer.status} ${answer.message}\n  ${answer.body.slice(0, 600)}`,
        );
      }
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  }
}
console.log(`${sent} requests, ${seen.size} kinds of answers of 500 and more`);
await server.stop();
process.exit(seen.size === 0 ? 0 : 1);
