/**
 * `npm run differ-audit -- --original URL --log FILE [AREA…]`: plays recorded cases to a real API server that
 * writes an audit log by `audit/policy.yaml` and to ours with the same policy, and compares what both logs tell of
 * each request, stage by stage.
 */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { logBackend } from '@coxswain/apiserver/audit/backends/log-backend.ts';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import type { Transport, TransportRequest } from '@coxswain/client/transport.ts';
import { readAuditPolicy } from '../../packages/kube-apiserver/src/audit/read-policy.ts';
import {
  areaNames,
  loadArea,
  playableInProcess,
  type Case,
} from '../../packages/kube-apiserver/test/oracle/case.ts';
import { describeDifference, differencesOf } from '../../packages/kube-apiserver/test/oracle/differences.ts';
import { playCase } from '../../packages/kube-apiserver/test/oracle/play.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { viewOf, type AuditedEvent } from './audit/event-view.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    log: { type: 'string', default: 'audit.log' },
    show: { type: 'string', default: '60' },
    most: { type: 'string', default: '1000' },
  },
});

const policy = readAuditPolicy(
  readFileSync(new URL('audit/policy.yaml', import.meta.url), 'utf8'),
  console.error,
);
const written: string[] = [];
const server = await recordedServer({
  audit: {
    policy,
    backend: ({ lost }) =>
      logBackend({ write: (line) => void written.push(line), flush: () => Promise.resolve() }, 'json', lost),
  },
});
const whatFor = ({ verb, requestURI }: AuditedEvent): string => JSON.stringify(viewOf({ verb, requestURI }));
const membersOf = (event: AuditedEvent): string =>
  Object.keys(event)
    .filter((name) => name !== 'authenticationMetadata')
    .join();
const isPatch = (event: AuditedEvent | undefined): boolean => event?.['verb'] === 'patch';
const idOf = (key: string): string => key.slice(0, key.indexOf(' '));
const idsBySide = new WeakMap<object, Set<string>>();
const idsOf = (events: ReadonlyMap<string, AuditedEvent>): Set<string> => {
  let ids = idsBySide.get(events);
  if (ids === undefined) idsBySide.set(events, (ids = new Set([...events.keys()].map(idOf))));
  return ids;
};
const logStart = statSync(values.log).size;
const original = new HttpTransport({ server: values.original, insecure: true });
const ours = server.inProcess(undefined, { structured: false });

/** The same transport; each request says which one of its case it is. */
function numbered(transport: Transport, caseName: string): Transport {
  let number = 0;
  const withId = (request: TransportRequest): TransportRequest => ({
    ...request,
    headers: { ...request.headers, 'audit-id': `${caseName}#${number++}`, 'user-agent': 'differ' },
  });
  return {
    structured: false,
    address: transport.address,
    send: (request) => transport.send(withId(request)),
    close: () => Promise.resolve(),
  };
}

const cases: (readonly [string, Case])[] = areaNames()
  .map(loadArea)
  .filter(({ area, server: flags }) => Object.keys(flags).length === 0 && isAsked(area))
  .flatMap(({ area, cases: all }) =>
    all.filter(playableInProcess).map((one) => [`${area}/${one.name}`, one] as const),
  )
  .slice(0, Number(values.most));

function isAsked(area: string): boolean {
  return positionals.length === 0 || positionals.some((asked) => area.startsWith(asked));
}

for (const [name, one] of cases) {
  await Promise.all([playCase(one, numbered(original, name)), playCase(one, numbered(ours, name))]);
}
const settleMs = 1000;
await sleep(settleMs);

const eventsOf = (lines: readonly string[]): Map<string, AuditedEvent> =>
  new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditedEvent)
      .map((event) => [`${event.auditID} ${event.stage}`, event]),
  );

const theirs = eventsOf(readFileSync(values.log).subarray(logStart).toString().split('\n'));
const own = eventsOf(written.join('').split('\n'));
const caseOf = (key: string): string => key.slice(0, key.indexOf('#'));
/** A case that asks again until something holds doesn't ask the same of both. */
const wentApart = new Set<string>();
for (const key of new Set([...theirs.keys(), ...own.keys()])) {
  const [a, b] = [theirs.get(key), own.get(key)];
  const isOther = a !== undefined && b !== undefined && whatFor(a) !== whatFor(b);
  if (isOther || (idsOf(theirs).has(idOf(key)) !== idsOf(own).has(idOf(key)) && !isPatch(a ?? b))) {
    wentApart.add(caseOf(key));
  }
}
let compared = 0;
let differing = 0;
for (const key of new Set([...theirs.keys(), ...own.keys()])) {
  if (!key.includes('#') || wentApart.has(caseOf(key))) continue;
  compared++;
  const [a, b] = [theirs.get(key), own.get(key)];
  // A patch that is no JSON can't be told by the original, which then tells nothing.
  if (a === undefined && isPatch(b)) continue;
  const differences = differencesOf(viewOf(a), viewOf(b));
  const order = a !== undefined && b !== undefined && membersOf(a) !== membersOf(b);
  if (differences.length === 0 && !order) continue;
  if (++differing > Number(values.show)) continue;
  console.log(`\n${key} ${String((a ?? b)?.verb)} ${String((a ?? b)?.requestURI)}`);
  for (const difference of differences.slice(0, 6)) console.log(`  ${describeDifference(difference)}`);
  if (order) console.log(`  order: ${membersOf(a!)} | ${membersOf(b!)}`);
}
console.log(
  `${cases.length} cases (${wentApart.size} not asked alike), ${compared} events compared, ${differing} differ`,
);
await server.stop();
process.exit(differing === 0 ? 0 : 1);
